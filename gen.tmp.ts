import { describeService } from './src/openapi/service.ts'
const t = performance.now()
const d = await describeService()
console.error(performance.now() - t, JSON.stringify(d).length)
console.log(JSON.stringify(d, null, 1))
