import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";

const SCRIPT = path.join(__dirname, "../../examples/ci/comment.js");
const MARKER = "<!-- steward plan -->";
const ME = 7;

interface Note {
  readonly id: number;
  readonly author: { readonly id: number };
  body: string;
}

let notes: Note[];
let requests: string[];
let server: Server;
let folder: string;

beforeEach(async () => {
  notes = [];
  requests = [];
  folder = mkdtempSync(path.join(tmpdir(), "steward-comment-"));
  server = createServer(async (request, response) => {
    const url = new URL(request.url!, "http://localhost");
    requests.push(`${request.method} ${url.pathname}`);
    const answer = (value: unknown, headers = {}) =>
      response
        .writeHead(request.headers["private-token"] === "t" ? 200 : 401, headers)
        .end(JSON.stringify(value));
    if (url.pathname === "/api/v4/user") return answer({ id: ME });
    if (request.method === "GET") {
      // A note a page, so that the script has to follow pages.
      const page = Number(url.searchParams.get("page"));
      const next = page < notes.length ? String(page + 1) : "";
      return answer(notes.slice(page - 1, page), { "x-next-page": next });
    }
    const { body } = JSON.parse(await text(request)) as { body: string };
    const id = Number(url.pathname.split("/notes/")[1]);
    if (request.method === "PUT") notes.find((note) => note.id === id)!.body = body;
    else notes.push({ id: notes.length + 1, author: { id: ME }, body });
    return answer({});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

function comment(body: string, token = "t"): Promise<{ code: number; err: string }> {
  const file = path.join(folder, "plan.md");
  writeFileSync(file, body);
  const env = {
    PATH: process.env["PATH"],
    CI_API_V4_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4`,
    CI_PROJECT_ID: "1",
    CI_MERGE_REQUEST_IID: "2",
    STEWARD_COMMENT_TOKEN: token,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, file], { env }, (problem, _, err) => {
      resolve({ code: problem === null ? 0 : Number(problem.code), err });
    });
  });
}

describe("the pipeline example's comment", () => {
  test("the comment is written once and then updated, whatever others wrote", async () => {
    notes.push({ id: 1, author: { id: 3 }, body: `${MARKER}\nquoted by somebody else` });
    expect(await comment(`${MARKER}\nfirst`)).toEqual({ code: 0, err: "" });
    notes.push({ id: 3, author: { id: 3 }, body: "looks good" });
    expect(await comment(`${MARKER}\nsecond`)).toEqual({ code: 0, err: "" });
    expect(notes.map(({ body }) => body)).toEqual([
      `${MARKER}\nquoted by somebody else`,
      `${MARKER}\nsecond`,
      "looks good",
    ]);
    expect(requests.at(-1)).toBe("PUT /api/v4/projects/1/merge_requests/2/notes/2");
  });

  test("a comment that can't be written fails the job without showing the token", async () => {
    const { code, err } = await comment(`${MARKER}\nfirst`, "wrong-token");
    expect(code).toBe(1);
    expect(err).toBe("GET /api/v4/user: 401\n");
  });
});
