/** An error that is answered with its status. */
export const httpError = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode })
