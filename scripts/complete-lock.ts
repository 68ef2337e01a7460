// npm run lock: completes package-lock.json after an install whose registry lacked the packages of other platforms.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { absentFrom, completeLock, type LockFile } from './lock-file.ts'

const file = join(import.meta.dirname, '../package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile
const absent = absentFrom(lock)
writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`)
console.log(`${absent.length} packages of other platforms added to package-lock.json`)
