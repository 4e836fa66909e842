/** An error with the status of its answer. */
export const httpError = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode })
