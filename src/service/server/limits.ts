/** Bytes of a query string; longer ones are 414. */
export const MAX_QUERY = 8_192;

/** Bytes of a request line with its headers. Above the longest query, so that the service itself refuses that one. */
export const MAX_HEADERS = 65_536;

/** Bytes of a state; also the bytes of a refused body that are read and discarded. */
export const STATE_LIMIT = 268_435_456;

/** Pipelined requests of one connection that may wait. */
export const MAX_PIPELINED = 16;

/** Characters of all unread responses to callers without a token. */
export const MAX_UNREAD_CHARACTERS = 16_777_216;

/** Levels of objects and lists in a JSON body. */
export const JSON_DEPTH = 100;

/** Fields of a form. */
export const FORM_FIELDS = 10_000;
