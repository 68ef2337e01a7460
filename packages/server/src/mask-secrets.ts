// The last gate before a line is logged. Nothing writes a secret into a message on purpose; what slips in with the words
// of a library (an address with a password, a header, a token) is made unreadable here.

const masks: readonly (readonly [RegExp, string])[] = [
  // A signed token: three parts in base64url, the first of which is an object.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[token]'],
  [/\b(Bearer|Basic) +[^\s"',;]+/gi, '$1 [masked]'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']*@/gi, '$1[masked]@'],
  [/([?&](?:code|token|access_token|password|secret)=)[^&\s"'#]+/gi, '$1[masked]'],
  [/("(?:code|token|password|secret|authorization)"\s*:\s*")(?:[^"\\]|\\.)*"/gi, '$1[masked]"'],
]

export function maskSecrets(text: string): string {
  return masks.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text)
}
