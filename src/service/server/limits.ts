/** Bytes of a query string; longer ones are 414. */
export const MAX_QUERY = 8_192;

/** Bytes of a request line with its headers. Above the longest query, so that the service itself refuses that one. */
export const MAX_HEADERS = 65_536;

/** Bytes of a state that is to be kept, and of a refused body that are thrown away. */
export const STATE_LIMIT = 268_435_456;

/** Requests of one connection that wait for the answer to the one before. */
export const MAX_PIPELINED = 16;

/** Characters of all answers to callers without a token that wait to be read. */
export const MAX_UNREAD_CHARACTERS = 16_777_216;

/** Levels of objects and lists in a JSON body. */
export const JSON_DEPTH = 100;

/** Fields of a form. */
export const FORM_FIELDS = 10_000;
