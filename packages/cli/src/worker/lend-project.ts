// For `--import`: runners are processes of their own, and have to load the file as their worker did.

import { lendProject } from './module-hooks.ts'

lendProject()
