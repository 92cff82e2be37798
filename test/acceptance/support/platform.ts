import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Comment {
  readonly path: string;
  readonly token: string | undefined;
  readonly body: string;
}

/** The platform as a pipeline meets it: the embedded service, and before it what takes comments on merge requests. */
export interface Platform {
  readonly url: string;
  readonly comments: readonly Comment[];
  /** What was passed on to the service. */
  readonly requests: readonly { readonly method: string; readonly path: string }[];
  close(): Promise<void>;
}

export async function openPlatform(serviceUrl: string): Promise<Platform> {
  const comments: Comment[] = [];
  const requests: { method: string; path: string }[] = [];
  const server = createServer((incoming, answer) => {
    const { pathname } = new URL(incoming.url!, "http://localhost");
    const isComment = incoming.headers["private-token"] === COMMENT_TOKEN;
    if (isComment && pathname === "/api/v4/user") answerJson(answer, { id: AUTHOR });
    else if (pathname.includes("/notes")) void take(incoming, answer, comments);
    else {
      requests.push({ method: incoming.method!, path: incoming.url! });
      passOn(incoming, answer, serviceUrl);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comments,
    requests,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The token that comments, and the id of its user. */
const COMMENT_TOKEN = "comment-token";
const AUTHOR = 3;

const answerJson = (answer: ServerResponse, value: unknown): void =>
  void answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));

async function take(incoming: IncomingMessage, answer: ServerResponse, comments: Comment[]): Promise<void> {
  const path = new URL(incoming.url!, "http://localhost").pathname;
  if (incoming.method === "GET") {
    const notes = comments.map(({ body }, at) => ({ id: at + 1, author: { id: AUTHOR }, body }));
    return answerJson(answer, notes);
  }
  const { body } = JSON.parse(await text(incoming)) as { body: string };
  const [place, id] = path.split("/notes");
  const comment = { path: `${place}/notes`, token: incoming.headers["private-token"] as string, body };
  if (incoming.method === "PUT") comments[Number(id!.slice(1)) - 1] = comment;
  else comments.push(comment);
  answerJson(answer, {});
}

function passOn(incoming: IncomingMessage, answer: ServerResponse, serviceUrl: string): void {
  const { method, headers, url } = incoming;
  const onward = request(new URL(url!, serviceUrl), { method, headers }, (answered) => {
    answer.writeHead(answered.statusCode!, answered.headers);
    answered.pipe(answer);
  });
  incoming.pipe(onward);
}
