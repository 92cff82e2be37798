/** The kinds of frames (RFC 9113, section 6). */
export const FRAME = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

/** What a frame's flags say; which of them it may have depends on its kind. */
export const FLAG = { ACK: 0x1, END_STREAM: 0x1, END_HEADERS: 0x4, PADDED: 0x8, PRIORITY: 0x20 } as const;

/** The settings that one end tells the other (section 6.5.2), as far as they are used here. */
export const SETTING = { INITIAL_WINDOW_SIZE: 4, MAX_FRAME_SIZE: 5 } as const;

/** Why a stream or a connection ends (section 7). */
export const ERROR = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  FLOW_CONTROL_ERROR: 3,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  COMPRESSION_ERROR: 9,
  ENHANCE_YOUR_CALM: 11,
} as const;

export type ErrorCode = (typeof ERROR)[keyof typeof ERROR];

/** What a client sends before its first frame (section 3.4). */
export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** What each end may send before the other one has said anything else (section 6.5.2). */
export const DEFAULT_WINDOW = 65_535;
export const DEFAULT_FRAME_SIZE = 16_384;
export const LARGEST_FRAME_SIZE = 2 ** 24 - 1;
/** No window may be larger (section 6.9.1). */
export const LARGEST_WINDOW = 2 ** 31 - 1;

/** The other end has broken the rules so that the connection can't go on. */
export class ConnectionError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = "ConnectionError";
    this.code = code;
  }
}

export const violation = (what: string): ConnectionError => new ConnectionError(ERROR.PROTOCOL_ERROR, what);
