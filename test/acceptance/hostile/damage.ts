import fc from "fast-check";
import { type Damage as ContentDamage, damages as contentDamages, share } from "../../support/damage";

/**
 * Unusual values of header fields. A damage adds one of these header fields to a response, or replaces the field with the
 * same name.
 */
const ODD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  link: [
    '<ELSEWHERE/api/v4/projects/1?page=2>; rel="next"',
    '<http://localhost:1/api/v4/projects?page=2>; rel="next"',
    '<SELF>; rel="next"',
    '<//example.com/api/v4>; rel="next"',
    '</etc/passwd>; rel="next"',
    '<javascript:alert(1)>; rel="next"',
    '<>; rel="next"',
    '<<<<; rel="next"',
    `<${"a".repeat(3000)}>; rel="next"`,
  ],
  "x-next-page": ["0", "1", "-1", "2", "99999999999999999999", "NaN", "2,2", "\u00e9"],
  "x-total": ["-1", "0", "1e9", "99999999999999999999", "7"],
  "x-total-pages": ["-1", "0", "3", "99999999999999999999", "1e3"],
  "x-page": ["0", "99"],
  "retry-after": ["-1", "1e9", "99999999999999999999", "soon", "Thu, 01 Jan 1970 00:00:00 GMT", "0", "3"],
  "ratelimit-remaining": ["0", "-1", "NaN", "1e400"],
  "ratelimit-reset": ["0", "-1", "1", "4102444800", "99999999999999999999999"],
  date: ["yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"],
  "content-type": ["text/html", "text/plain", "application/json; charset=utf-16", "json", ";;;", "*/*"],
  "content-encoding": ["gzip", "br", "identity", "aes128gcm"],
  "set-cookie": ["session=1; Domain=example.com"],
  connection: ["close", "upgrade"],
  "x-long": ["a".repeat(8000)],
};

/** The status codes that a damage can set: all codes that the client handles separately, and some unknown codes. */
const STATUSES = [
  100, 102, 199, 200, 201, 202, 203, 204, 205, 206, 299, 300, 304, 305, 399, 400, 401, 402, 403, 404, 405,
  406, 408, 409, 410, 411, 412, 413, 414, 415, 417, 418, 421, 422, 423, 425, 426, 428, 429, 431, 451, 499,
  500, 501, 502, 503, 504, 505, 507, 511, 520, 599, 600, 999,
] as const;

const TARGETS = [
  "ELSEWHERE/api/v4/user",
  "//ELSEHOST/api/v4/user",
  "http://localhost:1/api/v4/user",
  "http://user:password@ELSEHOST/api/v4/user",
  "SELF",
  "SELF?again",
  "/etc/passwd",
  "/api/v4/../../etc/passwd",
  "javascript:alert(1)",
  "http://[",
  "",
] as const;

const RAW = {
  "no HTTP": "220 mail.example.com ESMTP\r\n",
  "a TLS alert": "\x15\x03\x01\x00\x02\x02\x46",
  "an HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "no status": "HTTP/1.1\r\n\r\n",
  "a status of letters": "HTTP/1.1 abc OK\r\ncontent-length: 0\r\n\r\n",
  "a status of five digits": "HTTP/1.1 20000 OK\r\ncontent-length: 0\r\n\r\n",
  "another version": "HTTP/9.9 200 OK\r\ncontent-length: 0\r\n\r\n",
  "HTTP/1.0": 'HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{"id":1}',
  "a header without an end": `HTTP/1.1 200 OK\r\nx: ${"a".repeat(40_000)}`,
  "many headers": `HTTP/1.1 200 OK\r\n${"x: 1\r\n".repeat(5000)}\r\n`,
  "a NUL in a header": "HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 2\r\n\r\n{}",
  "a folded header":
    "HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
  "a switch of protocols":
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
} as const;

const LENGTHS = ["shorter", "longer", "0", "-1", "1e3", "99999999999999999999", "twice", "none"] as const;
const CHUNKS = [
  "a size of letters",
  "a huge size",
  "no last chunk",
  "beside a length",
  "many small ones",
] as const;
const RECORDS = ["each twice", "in reverse", "one less", "none", "ids swapped", "a thousand"] as const;

/** The damage of a response. The damage is data, so that a failed test can print it. */
export type AnswerDamage =
  | { readonly kind: "body"; readonly body: ContentDamage }
  | { readonly kind: "cut"; readonly at: number; readonly how: "reset" | "end" }
  | { readonly kind: "stall"; readonly at: number }
  | { readonly kind: "length"; readonly length: (typeof LENGTHS)[number] }
  | { readonly kind: "chunks"; readonly how: (typeof CHUNKS)[number] }
  | { readonly kind: "interim"; readonly status: number; readonly times: number }
  | { readonly kind: "raw"; readonly what: keyof typeof RAW }
  | { readonly kind: "more"; readonly what: "another answer" | "bytes" }
  | { readonly kind: "gzip"; readonly isBomb: boolean }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body: "kept" | "message" | "token" | "empty" | "page";
      /** Whether the service executed the request. */
      readonly isDone: boolean;
    }
  | { readonly kind: "redirect"; readonly status: number; readonly to: (typeof TARGETS)[number] }
  | { readonly kind: "header"; readonly name: string; readonly value: string | undefined }
  | { readonly kind: "records"; readonly how: (typeof RECORDS)[number] };

export { RAW };

/** All kinds of damage, each with its relative frequency. */
const weighed: readonly (readonly [number, fc.Arbitrary<AnswerDamage>])[] = [
  [24, contentDamages.map((body) => ({ kind: "body", body }))],
  [4, fc.record({ kind: fc.constant("cut"), at: share, how: fc.constantFrom("reset", "end") })],
  // A stall is rare, because the client waits for the rest of the response until its request times out.
  [1, fc.record({ kind: fc.constant("stall"), at: share })],
  [2, fc.constantFrom(...LENGTHS).map((length) => ({ kind: "length", length }))],
  [2, fc.constantFrom(...CHUNKS).map((how) => ({ kind: "chunks", how }))],
  [
    1,
    fc.record({
      kind: fc.constant("interim"),
      status: fc.constantFrom(100, 102, 103, 199),
      times: fc.constantFrom(1, 3, 2000),
    }),
  ],
  [2, fc.constantFrom(...(Object.keys(RAW) as (keyof typeof RAW)[])).map((what) => ({ kind: "raw", what }))],
  [1, fc.constantFrom("another answer" as const, "bytes" as const).map((what) => ({ kind: "more", what }))],
  [1, fc.boolean().map((isBomb) => ({ kind: "gzip", isBomb }))],
  [
    8,
    fc.record({
      kind: fc.constant("status"),
      status: fc.constantFrom(...STATUSES),
      body: fc.constantFrom("kept", "message", "token", "empty", "page"),
      isDone: fc.boolean(),
    }),
  ],
  [
    3,
    fc.record({
      kind: fc.constant("redirect"),
      status: fc.constantFrom(301, 302, 303, 307, 308),
      to: fc.constantFrom(...TARGETS),
    }),
  ],
  [
    6,
    fc
      .constantFrom(...Object.entries(ODD_HEADERS))
      .chain(([name, values]) =>
        fc.constantFrom(...values, undefined).map((value) => ({ kind: "header", name, value })),
      ),
  ],
  [4, fc.constantFrom(...RECORDS).map((how) => ({ kind: "records", how }))],
];

export const answerDamages: fc.Arbitrary<AnswerDamage> = fc.oneof(
  ...weighed.map(([weight, arbitrary]) => ({ weight, arbitrary })),
);

/** Returns whether the service executes the request before the proxy replaces the status. */
export const isDone = ({ isDone, body }: Extract<AnswerDamage, { kind: "status" }>): boolean =>
  // The proxy can keep a body only if the service has executed the request.
  isDone || body === "kept";

/**
 * Returns whether the damaged response is well-formed but false. A client can't recognize such a response. After such a
 * response, a test can only require that the client follows the declarations.
 */
export function isBelievable(damage: AnswerDamage): boolean {
  switch (damage.kind) {
    case "status":
      // Each of these statuses is a false claim: the change was done, the object is gone, or the service refused an
      // executed change.
      return (
        damage.status < 500 && (damage.status < 400 || [404, 410].includes(damage.status) || isDone(damage))
      );
    case "redirect":
    case "more":
    case "records":
    case "header":
      return true;
    case "body":
      return !["cut", "end", "zeros", "mark", "UTF-16"].includes(damage.body.kind);
    case "raw":
      return damage.what === "HTTP/1.0" || damage.what === "a folded header";
    case "length":
      return damage.length === "shorter" || damage.length === "0";
    default:
      return false;
  }
}
