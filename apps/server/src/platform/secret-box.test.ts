import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { createSecretBox as createBox } from './secret-box.ts'
import { createSecretKey, SecretKeyMissingError, type SecretKeySettings } from './secret-key.ts'

const createSecretBox = (settings: SecretKeySettings) => createBox(createSecretKey(settings))
const secretKey = 'a-key-for-tests-only-with-32-characters'
const secret = Buffer.from('the secret of an app')
const box = createSecretBox({ secretKey, keyFile: null })

describe('createSecretBox', () => {
  it('decrypts what another box with the same key has encrypted', async () => {
    const ciphertext = await box.encrypt(secret, 'a')
    expect(await createSecretBox({ secretKey, keyFile: null }).decrypt(ciphertext, 'a')).toEqual(secret)
  })

  it('encrypts the same secret differently each time, and never leaves it readable', async () => {
    const [first, second] = [await box.encrypt(secret, 'a'), await box.encrypt(secret, 'a')]
    expect(first).not.toEqual(second)
    expect(first.includes(secret)).toBe(false)
  })

  it('does not decrypt with another key, in another context, or what was changed', async () => {
    const ciphertext = await box.encrypt(secret, 'a')
    const changed = Buffer.from(ciphertext)
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1)
    const otherBox = createSecretBox({ secretKey: secretKey.toUpperCase(), keyFile: null })
    expect(await otherBox.decrypt(ciphertext, 'a')).toBeNull()
    expect(await box.decrypt(ciphertext, 'b')).toBeNull()
    expect(await box.decrypt(changed, 'a')).toBeNull()
    expect(await box.decrypt(Buffer.of(), 'a')).toBeNull()
  })

  it('rejects without a key and without a place for one', async () => {
    const keyless = createSecretBox({ secretKey: null, keyFile: null })
    await expect(keyless.encrypt(secret, 'a')).rejects.toThrow(SecretKeyMissingError)
  })
})

describe('createSecretBox with a key file', () => {
  it('creates the file at its first use, for its owner only, and uses it again', async () => {
    const keyFile = join(await createTemporaryDirectory(), 'data', 'secret.key')
    const ciphertext = await createSecretBox({ secretKey: null, keyFile }).encrypt(secret, 'a')
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    expect((await readFile(keyFile, 'utf8')).length).toBeGreaterThan(40)
    expect(await createSecretBox({ secretKey: null, keyFile }).decrypt(ciphertext, 'a')).toEqual(secret)
  })

  it('creates one key when several processes need it at the same time', async () => {
    const keyFile = join(await createTemporaryDirectory(), 'secret.key')
    const boxes = Array.from({ length: 8 }, () => createSecretBox({ secretKey: null, keyFile }))
    const ciphertexts = await Promise.all(boxes.map((each) => each.encrypt(secret, 'a')))
    for (const ciphertext of ciphertexts) expect(await boxes[0]?.decrypt(ciphertext, 'a')).toEqual(secret)
  })
})
