import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { damaged } from "../../support/damage";
import type { Answer, Passage } from "../../support/http-proxy";
import { type AnswerDamage, isDone, RAW } from "./damage";

/** The values of the placeholders in damages. */
export interface Names {
  /** The origin of a server that no client may use. */
  readonly elsewhere: string;
  /** The origin that the client calls. */
  readonly home: string;
  readonly token: string;
}

const BOMB = gzipSync(Buffer.alloc(32 * 1024 * 1024, " "));

/** Sends a damaged response. */
export async function sendDamaged(passage: Passage, damage: AnswerDamage, names: Names): Promise<void> {
  const filled = (text: string): string =>
    text
      .replaceAll("ELSEWHERE", names.elsewhere)
      .replaceAll("ELSEHOST", new URL(names.elsewhere).host)
      .replaceAll("SELF", `${names.home}${passage.url}`);
  // The service does not execute the request, because the proxy redirects the client and does not pass the request on.
  if (damage.kind === "redirect") {
    await passage.body();
    return passage.refuse(damage.status, "Moved", { location: filled(damage.to) });
  }
  if (damage.kind === "status" && !isDone(damage)) {
    await passage.body();
    return sendStatus(passage, damage, { status: 0, headers: {}, body: Buffer.alloc(0) }, names);
  }
  const answer = await passage.forward();
  const { socket } = passage.incoming;
  const head = (headers: Answer["headers"]) =>
    `HTTP/1.1 ${answer.status} OK\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${String(value)}\r\n`)
      .join("")}\r\n`;
  const whole = Buffer.concat([Buffer.from(head(answer.headers)), answer.body]);
  const { "content-length": _, "transfer-encoding": __, ...without } = answer.headers;
  const replaced = (body: string | Buffer, headers: Answer["headers"] = {}): void => {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    // The damaged response has a body, so the status 204 (no content) becomes 200.
    const status = answer.status === 204 ? 200 : answer.status;
    passage.answer({
      status,
      headers: {
        "content-type": "application/json",
        ...without,
        ...headers,
        "content-length": String(bytes.length),
      },
      body: bytes,
    });
  };
  switch (damage.kind) {
    case "cut":
      return end(socket, whole.subarray(0, Math.floor(damage.at * whole.length)), damage.how);
    case "stall":
      socket.write(whole.subarray(0, Math.floor(damage.at * whole.length)));
      return;
    case "length":
      return end(
        socket,
        Buffer.concat([Buffer.from(head(lengths(damage.length, without, answer))), answer.body]),
      );
    case "chunks":
      return end(socket, chunks(damage.how, head, without, answer));
    case "interim": {
      const one = `HTTP/1.1 ${damage.status} Wait\r\nlink: <x>; rel=preload\r\n\r\n`;
      return end(socket, Buffer.concat([Buffer.from(one.repeat(damage.times)), whole]));
    }
    case "raw":
      return end(socket, Buffer.from(RAW[damage.what], "latin1"));
    case "more":
      return end(socket, Buffer.concat([whole, damage.what === "bytes" ? Buffer.from("\0\0\r\n") : whole]));
    case "gzip":
      return replaced(damage.isBomb ? BOMB : gzipSync(answer.body), { "content-encoding": "gzip" });
    case "status":
      return sendStatus(passage, damage, answer, names);
    case "header": {
      const { [damage.name]: ___, ...others } = answer.headers;
      if (damage.value === undefined && damage.name !== "content-length")
        return passage.answer({ ...answer, headers: others });
      const value = Buffer.from(filled(damage.value ?? ""), "utf8").toString("latin1");
      return passage.answer({ ...answer, headers: { ...others, [damage.name]: value } as Answer["headers"] });
    }
    case "body":
      return replaced(damaged(answer.body, damage.body));
    case "records":
      return replaced(withRecords(answer.body.toString(), damage.how));
  }
}

function end(socket: Socket, bytes: Buffer, how: "reset" | "end" = "end"): void {
  if (how === "end") socket.end(bytes);
  else socket.write(bytes, () => socket.resetAndDestroy());
}

function sendStatus(
  passage: Passage,
  { status, body }: Extract<AnswerDamage, { kind: "status" }>,
  answer: Answer,
  { token }: Names,
): void {
  const text = {
    kept: answer.body.toString(),
    message: '{"message":"refused\\r\\n::error::text\\u001b[2J"}',
    token: JSON.stringify({ message: `the token ${token} is wrong`, [token]: [token] }),
    empty: "",
    page: `<html><body>${"no ".repeat(500)}</body></html>`,
  }[body];
  const type = body === "page" ? "text/html" : "application/json";
  const { "content-length": _, ...headers } = body === "kept" ? answer.headers : { "content-type": type };
  const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(text) });
  const head = lines.map(([name, value]) => `${name}: ${String(value)}\r\n`).join("");
  end(passage.incoming.socket, Buffer.from(`HTTP/1.1 ${status} Odd\r\n${head}\r\n${text}`));
}

function lengths(
  length: Extract<AnswerDamage, { kind: "length" }>["length"],
  without: Answer["headers"],
  { body }: Answer,
): Answer["headers"] {
  const told: Record<typeof length, string | undefined> = {
    shorter: String(Math.floor(body.length / 2)),
    longer: String(body.length + 10),
    "0": "0",
    "-1": "-1",
    "1e3": "1e3",
    "99999999999999999999": "99999999999999999999",
    twice: `${body.length}\r\ncontent-length: ${body.length + 1}`,
    none: undefined,
  };
  return told[length] === undefined ? without : { ...without, "content-length": told[length] };
}

function chunks(
  how: Extract<AnswerDamage, { kind: "chunks" }>["how"],
  head: (headers: Answer["headers"]) => string,
  without: Answer["headers"],
  { body }: Answer,
): Buffer {
  const chunked = { ...without, "transfer-encoding": "chunked" };
  const size = body.length.toString(16);
  const text = body.toString("latin1");
  const one = text === "" ? "" : `${size}\r\n${text}\r\n`;
  const small = [...text].map((letter) => `1\r\n${letter}\r\n`).join("");
  const written: Record<typeof how, [Answer["headers"], string]> = {
    "a size of letters": [chunked, `xyz\r\n${text}\r\n0\r\n\r\n`],
    "a huge size": [chunked, `ffffffffffffffffff\r\n${text}`],
    "no last chunk": [chunked, one],
    "beside a length": [{ ...chunked, "content-length": "3" }, `${one}0\r\n\r\n`],
    "many small ones": [chunked, `${small}0\r\n\r\n`],
  };
  const [headers, rest] = written[how];
  return Buffer.from(`${head(headers)}${rest}`, "latin1");
}

function withRecords(text: string, how: Extract<AnswerDamage, { kind: "records" }>["how"]): string {
  const json: unknown = text === "" ? null : JSON.parse(text);
  if (!Array.isArray(json)) return JSON.stringify([json]);
  const records = json as Record<string, unknown>[];
  const odd: Record<typeof how, () => unknown[]> = {
    "each twice": () => [...records, ...records],
    "in reverse": () => [...records].reverse(),
    "one less": () => records.slice(1),
    none: () => [],
    "ids swapped": () => records.map((one, index) => ({ ...one, id: records.at(index - 1)!["id"] })),
    "a thousand": () => Array.from({ length: 1000 }, (_, index) => ({ ...records[0], id: 10_000 + index })),
  };
  return JSON.stringify(odd[how]());
}
