import Type, { type Static } from 'typebox'
import { playerStatuses } from '../../../../domain/players/player.ts'
import { textLimits } from '../../../../domain/text-limits.ts'
import { LimitProfileId, Moment, nullable, PlainText, TotalAmount, Username } from './shared.ts'

/** Schemas of players and launches (1-tenant-api, "Resources and their fields"). */

export const LaunchInput = Type.Object({
  username: Username,
  nickname: Type.Optional(
    PlainText({ maxLength: textLimits.nickname, description: 'Used only when the player is created.' }),
  ),
  currency: Type.Optional(
    Type.String({ description: "Used only when the player is created; defaults to the tenant's primary currency." }),
  ),
  lang: Type.Optional(
    Type.String({
      description:
        'One of CHT, CHS, ENG, JPN, KOR, THAI, VIET, HIND, PHP, in any case; defaults to the first one set in the Console, else CHT.',
    }),
  ),
  device: Type.Optional(
    Type.String({ description: '`mobile` selects the mobile layout, anything else the desktop one.' }),
  ),
  table: Type.Optional(PlainText({ minLength: 1, description: 'Opens this table directly; it must be enabled.' })),
  variant: Type.Optional(Type.Enum(['classic', 'nocomm'], { description: 'Preferred baccarat variant; stored only.' })),
  lobbyUrl: Type.Optional(
    PlainText({
      pattern: '^https?://[^\\u0000]*$',
      maxLength: textLimits.url,
      description: 'Stored.',
      examples: ['https://example.com/lobby'],
    }),
  ),
  limitProfileId: Type.Optional(LimitProfileId),
})
export type LaunchInput = Static<typeof LaunchInput>

export const LaunchResult = Type.Object({
  url: Type.String({ description: 'One-time game URL, https://<host>/Launch?t=<token>.' }),
  expiresIn: Type.Integer({ description: 'Seconds; always 60.' }),
})
export type LaunchResult = Static<typeof LaunchResult>

export const PlayerUpdate = Type.Object({
  username: Username,
  status: Type.Optional(Type.Enum([...playerStatuses])),
  nickname: Type.Optional(
    nullable(PlainText({ maxLength: textLimits.nickname }), { description: 'null or an empty string clears it.' }),
  ),
  limitProfileId: Type.Optional(LimitProfileId),
  password: Type.Optional(
    Type.String({
      minLength: 6,
      maxLength: 64,
      description: "Only for operators who use the platform's own login page.",
    }),
  ),
})
export type PlayerUpdate = Static<typeof PlayerUpdate>

export const Player = Type.Object({
  username: Type.String(),
  nickname: nullable(Type.String()),
  status: Type.Enum([...playerStatuses]),
  currency: Type.String(),
  balance: TotalAmount,
  online: Type.Boolean({ description: 'True while in the lobby or at a table.' }),
  createdAt: Moment,
  lastLoginAt: nullable(Moment, { description: 'Time the player last entered the game.' }),
})
export type Player = Static<typeof Player>
