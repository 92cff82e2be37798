import { HttpProxy } from "../../support/http-proxy";

/** A project or group that a token can't see. */
export interface Hidden {
  readonly kind: "project" | "group";
  readonly id: number;
}

/** A proxy before the service that hides some projects and groups: their own addresses are 404, and lists leave them out. */
export async function hidingProxy(target: string, hidden: readonly Hidden[]) {
  const isHidden = (url: string) =>
    hidden.some(({ kind, id }) => new RegExp(`/${kind}s/${id}(?:$|[/?])`).test(url));
  const idsIn = (url: string) => {
    const kind = /\/groups_allowlist/.test(url) ? "group" : "project";
    return new Set(hidden.filter((one) => one.kind === kind).map(({ id }) => id));
  };
  const proxy = new HttpProxy(target, async (passage) => {
    const { isWrite, url } = passage;
    if (isHidden(url)) return passage.refuse(404, "404 Not Found");
    const answer = await passage.forward();
    const isList = !isWrite && /allowlist(?:$|\?)/.test(url) && answer.status === 200;
    if (!isList) return passage.answer(answer);
    const ids = idsIn(url);
    const records = JSON.parse(answer.body.toString()) as readonly { readonly id: number }[];
    const shown = records.filter(({ id }) => !ids.has(id));
    const left = records.length - shown.length;
    const total = String(Number(answer.headers["x-total"]) - left);
    const { "content-length": _, ...others } = answer.headers;
    passage.answer({
      status: 200,
      headers: { ...others, "x-total": total },
      body: Buffer.from(JSON.stringify(shown)),
    });
  });
  return { url: await proxy.start(), close: () => proxy.close() };
}
