import { curlSample } from './curl.ts'
import { phpSample } from './php.ts'
import type { SamplePlan } from './plan.ts'
import { pythonSample } from './python.ts'
import { typescriptSample } from './typescript.ts'

/** Languages of the code samples, in the order of the reference. `id` is the name in OpenAPI's `x-codeSamples`. */
export const sampleLanguages = [
  { id: 'curl', lang: 'Shell', label: 'curl', write: curlSample },
  { id: 'typescript', lang: 'TypeScript', label: 'TypeScript', write: typescriptSample },
  { id: 'python', lang: 'Python', label: 'Python', write: pythonSample },
  { id: 'php', lang: 'PHP', label: 'PHP', write: phpSample },
] as const satisfies readonly { id: string; lang: string; label: string; write(plan: SamplePlan): string }[]

export type SampleLanguage = (typeof sampleLanguages)[number]['id']
