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
