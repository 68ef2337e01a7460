// What operators and their tools ask: is it alive, is it ready, what does it count.

import Type from 'typebox'
import { route } from '../route.ts'
import { JsonObject, strict } from '../shapes.ts'

export const live = route({
  method: 'GET',
  path: '/health/live',
  tag: 'system',
  summary: 'The process answers',
  access: 'anyone',
  replies: { 200: strict({ status: Type.Literal('live') }) },
})

export const ready = route({
  method: 'GET',
  path: '/health/ready',
  tag: 'system',
  summary: 'The store answers and jobs are placed; says what an answered submit survives',
  access: 'anyone',
  replies: {
    200: strict({ status: Type.Literal('ready'), store: JsonObject }),
    503: strict({ status: Type.Literal('not_ready'), reason: Type.String() }),
  },
})

export const metrics = route({
  method: 'GET',
  path: '/metrics',
  tag: 'system',
  summary: 'Figures for Prometheus',
  access: 'anyone',
  replies: { 200: Type.String() },
})

export const openapi = route({
  method: 'GET',
  path: '/openapi.json',
  tag: 'system',
  summary: 'This interface, for programs',
  access: 'anyone',
  replies: { 200: JsonObject },
})

export const getConfig = route({
  method: 'GET',
  path: '/api/config',
  tag: 'system',
  summary: 'The options this replica goes by, and where each value comes from; secrets are masked',
  access: 'admin',
  replies: {
    200: strict({
      options: Type.Array(
        strict({
          option: Type.String(),
          value: Type.String(),
          /** The flag, variable or key of the file; `default` where nobody chose. */
          source: Type.String(),
          group: Type.String(),
          is: Type.String(),
        }),
      ),
    }),
  },
})
