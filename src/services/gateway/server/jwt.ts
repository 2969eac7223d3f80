/** Lifetime of a token from POST /auth (2-payment-gateway-api, Limits). */
export const tokenSeconds = 300

/** User and account of a token. */
export interface TokenSubject {
  readonly merchant: string
  readonly email: string
}

/** Loads the library with the first token: most runs never need it. */
const loadJose = () => import('jose')

/** Returns a signed JWT. Clients read its `exp` to know when to request the next one. */
export async function signToken(secret: string, subject: TokenSubject, now: number): Promise<string> {
  const { SignJWT } = await loadJose()
  const seconds = Math.floor(now / 1000)
  return new SignJWT({ merchant: subject.merchant })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(subject.email)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + tokenSeconds)
    .sign(Buffer.from(secret, 'hex'))
}

/** Returns the subject of a token, or undefined when it is forged, expired or malformed. */
export async function readToken(secret: string, token: string, now: number): Promise<TokenSubject | undefined> {
  const { errors, jwtVerify } = await loadJose()
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret, 'hex'), {
      algorithms: ['HS256'],
      currentDate: new Date(now),
      requiredClaims: ['exp', 'sub'],
    })
    const { merchant, sub } = payload
    return typeof merchant === 'string' && typeof sub === 'string' ? { merchant, email: sub } : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
