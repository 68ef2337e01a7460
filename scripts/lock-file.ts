// A registry mirror may lack the packages of other platforms. npm then leaves them out of the lock file, and `npm ci`
// refuses that same file as incomplete, everywhere. So they are put in by hand: by name, version and platform, all
// that npm needs to pass over them here and to fetch them where they belong.

export interface LockedPackage {
  readonly version?: string
  readonly optional?: boolean
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface Absent {
  readonly name: string
  readonly version: string
  readonly wantedBy: LockedPackage
}

const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

export function absentFrom(lock: LockFile): readonly Absent[] {
  return Object.entries(lock.packages).flatMap(([place, wantedBy]) =>
    Object.entries(wantedBy.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(lock, place, name))
      .map(([name, version]) => ({ name, version, wantedBy })),
  )
}

export function completeLock<Lock extends LockFile>(lock: Lock): Lock {
  const added = absentFrom(lock).map(({ name, version, wantedBy }): [string, LockedPackage] => [
    `node_modules/${name}`,
    inNpmsOrder({ version, ...(wantedBy.dev ? { dev: true } : {}), optional: true, ...platformOf(name) }),
  ])
  const all = [...Object.entries(lock.packages), ...added].sort(([a], [b]) => a.localeCompare(b, 'en'))
  return { ...lock, packages: Object.fromEntries(all) }
}

/** The version first, then by name: so that the next install does not shuffle what was added. */
function inNpmsOrder({ version, ...others }: LockedPackage): LockedPackage {
  const sorted = Object.entries(others).sort(([a], [b]) => a.localeCompare(b, 'en'))
  return { ...(version === undefined ? {} : { version }), ...Object.fromEntries(sorted) }
}

function isLocked(lock: LockFile, place: string, name: string): boolean {
  return [`${place}/node_modules/${name}`, `node_modules/${name}`].some((path) => path in lock.packages)
}

/** Native packages carry their platform in their name: `cli-linux-arm64-musl`, `binding-win32-x64-msvc`. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-')
  const os = systems.filter((system) => words.includes(system))
  const cpu = processors.filter((processor) => words.includes(processor))
  if (cpu.length !== 1) throw new Error(`cannot tell the platform of ${name} from its name`)
  const libc = words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {}
  return { cpu, ...libc, ...(os.length > 0 ? { os } : {}) }
}
