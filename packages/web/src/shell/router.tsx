// Which page stands at which address. Each is a file of its own that is loaded when it is first wanted.

import {
  type AnyRouter,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { queryClient } from '../connection/query-client.ts'
import { session } from '../connection/session.ts'
import { roomsQuery } from '../room/room-queries.ts'
import { browserHistory } from './browser-history.ts'
import { Frame } from './frame.tsx'
import { lastRoom } from './last-room.ts'
import { LostPage } from './lost-page.tsx'
import { PageFault } from './page-fault.tsx'
import { placeOfRoom, places } from './places.ts'

/** A page with the styles of all that a first visit of a room does without. */
async function styled<Page>(page: Promise<Page>): Promise<Page> {
  await import('./later-styles.ts')
  return page
}

const root = createRootRoute({ component: Outlet, notFoundComponent: LostPage, errorComponent: PageFault })

const signInPage = lazyRouteComponent(() => styled(import('../user/sign-in-page.tsx')), 'SignInPage')
const signIn = createRoute({ getParentRoute: () => root, path: places.signIn, component: signInPage })
const login = createRoute({ getParentRoute: () => root, path: '/login', component: signInPage })

/** Everything else is for those who are signed in; afterwards they come back to where they wanted to go. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Frame,
  beforeLoad: ({ location }) => {
    if (session.get() !== null) return
    const next = location.href === '/' ? {} : { next: location.href }
    throw redirect({ href: `${places.signIn}?${new URLSearchParams(next)}` })
  },
})

/** Where there is one room, there is nothing to choose. */
async function onlyRoom(): Promise<string | null> {
  const rooms = await queryClient.fetchQuery(roomsQuery).catch(() => [])
  return rooms.length === 1 ? (rooms[0]?.name ?? null) : null
}

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: async () => {
    const room = lastRoom() ?? (await onlyRoom())
    throw redirect({ href: room === null ? places.rooms : placeOfRoom(room) })
  },
})

const pages = [
  {
    path: places.rooms,
    component: lazyRouteComponent(() => styled(import('../room/rooms-page.tsx')), 'RoomsPage'),
  },
  { path: '/rooms/$room', component: lazyRouteComponent(() => import('../room/room-page.tsx'), 'RoomPage') },
  {
    path: '/rooms/$room/jobs/$id',
    component: lazyRouteComponent(() => styled(import('../job/job-page.tsx')), 'JobPage'),
  },
  {
    path: places.jobs,
    component: lazyRouteComponent(() => styled(import('../job/jobs-page.tsx')), 'JobsPage'),
  },
  {
    path: places.extensions,
    component: lazyRouteComponent(() => styled(import('../extension/extensions-page.tsx')), 'ExtensionsPage'),
  },
  {
    path: places.workers,
    component: lazyRouteComponent(() => styled(import('../worker/workers-page.tsx')), 'WorkersPage'),
  },
  {
    path: places.deadLetters,
    component: lazyRouteComponent(() => styled(import('../job/dead-letters-page.tsx')), 'DeadLettersPage'),
  },
  {
    path: places.placement,
    component: lazyRouteComponent(() => styled(import('../placement/placement-page.tsx')), 'PlacementPage'),
  },
  {
    path: places.overview,
    component: lazyRouteComponent(() => styled(import('../overview/overview-page.tsx')), 'OverviewPage'),
  },
  {
    path: places.admin,
    component: lazyRouteComponent(() => styled(import('./admin-page.tsx')), 'AdminPage'),
  },
].map((page) => createRoute({ getParentRoute: () => inside, ...page }))

export const router: AnyRouter = createRouter({
  routeTree: root.addChildren([signIn, login, inside.addChildren([home, ...pages])]),
  history: browserHistory,
  defaultPreload: false,
  scrollRestoration: true,
})

session.subscribe(() => {
  if (session.get() === null) void router.invalidate()
})
