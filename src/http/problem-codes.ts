import type { MessageKey } from './messages.ts'

/**
 * The code of each problem that a 400 can list, by the key of its message. Problems that Django REST Framework has keep its codes
 * (rest_framework, django/core/validators.py). docs/reference/api.md lists the codes, which never change.
 */
export const problemCodes = {
  required: 'required',
  null: 'null',
  blank: 'blank',
  notString: 'invalid',
  notBoolean: 'invalid',
  notInteger: 'invalid',
  notNumber: 'invalid',
  notDate: 'invalid',
  notInstant: 'invalid',
  notRfc: 'invalid',
  notEmail: 'invalid',
  notUuid: 'invalid',
  notHash: 'invalid',
  notUrl: 'invalid',
  notList: 'not_a_list',
  notObject: 'not_a_dict',
  maxLength: 'max_length',
  minLength: 'min_length',
  maxItems: 'max_length',
  minItems: 'min_length',
  maxValue: 'max_value',
  minValue: 'min_value',
  maxDecimalPlaces: 'max_decimal_places',
  maxWholeDigits: 'max_whole_digits',
  nullCharacter: 'null_characters_not_allowed',
  combiningMarks: 'combining_marks',
  invalidChoice: 'invalid_choice',
  invalidChoiceOf: 'invalid_choice',
  unique: 'unique',
  uniqueSet: 'unique',
  doesNotExist: 'does_not_exist',
  nameDoesNotExist: 'does_not_exist',
  incorrectPk: 'incorrect_type',
  immutable: 'immutable',
  derived: 'derived',

  unknownField: 'unknown_field',
  unknownParameter: 'unknown_parameter',
  repeatedParameter: 'repeated',
  orderedTwice: 'repeated',
  invalidCursor: 'invalid_cursor',
  cursorResources: 'invalid_cursor',
  cursorContracts: 'invalid_cursor',
  jsonUnexpected: 'parse_error',
  jsonEnd: 'parse_error',
  jsonPrototype: 'parse_error',
  malformedRequest: 'malformed',
  percentEncoding: 'malformed',
  bodyNotUtf8: 'not_utf8',
  notUtf8: 'not_utf8',
  idempotencyKey: 'invalid',
  moreProblems: 'more_problems',

  invalidValue: 'invalid',
  ruleBroken: 'invalid',
  numberTooLarge: 'derived_too_large',
  companyMismatch: 'company_mismatch',
  companyUnreachable: 'company_unreachable',
  endBeforeStart: 'end_before_start',
  parentCycle: 'parent_cycle',
  parentDepth: 'parent_depth',
  estadoTransition: 'invalid_transition',
  estadoFinal: 'invalid_transition',
  estadoInitial: 'invalid_transition',
  belowAuthorized: 'below_authorized',
  contractClosed: 'contract_closed',
  contractCancelled: 'contract_cancelled',
  currencyInUse: 'currency_in_use',
  periodIncomplete: 'period_incomplete',
  periodBackwards: 'end_before_start',
  periodOverlaps: 'period_overlaps',
  deductionsTooLarge: 'deductions_too_large',
  derivedTooLarge: 'derived_too_large',
  exceedsContract: 'exceeds_contract',
  invoiceTaken: 'invoice_taken',
  // Only of items of a bulk. The 409 of a bulk has the code `conflict` too.
  permissionDenied: 'permission_denied',
  conflict: 'conflict',
  estimateNotDraft: 'conflict',

  wrongPassword: 'password_incorrect',
  currentPasswordUnused: 'password_unused',
  levelAboveOwn: 'level_above_own',
  levelNeedsCustomer: 'customer_required',
  lastSuperusuario: 'last_superusuario',
  companyHasMembers: 'has_memberships',
  userHasMemberships: 'has_memberships',
  membershipAcrossCustomers: 'other_customer',

  urlScheme: 'url_scheme',
  urlCredentials: 'url_credentials',
  urlFragment: 'url_fragment',
  urlAddress: 'url_address',
  urlPort: 'url_port',
  tooManyWebhooks: 'too_many',
  webhookUrlTaken: 'unique',
  futureRevision: 'max_value'
} as const satisfies Partial<Record<MessageKey, string>>

/** The key of a message about a problem of a field. */
export type ProblemKey = keyof typeof problemCodes

/** The code of a problem, the same in every language. */
export type ProblemCode = typeof problemCodes[ProblemKey]

/** All codes, each once, in alphabetical order. */
export const codesOfProblems: readonly ProblemCode[] = [...new Set(Object.values(problemCodes))].sort()

/** Whether a message is about a problem of a field. */
export function isProblemKey (key: MessageKey): key is ProblemKey {
  return Object.hasOwn(problemCodes, key)
}
