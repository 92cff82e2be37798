import type { Service } from "../../../src/service";

type Requests = Service["requests"]["all"];

/** The requests by method and route. */
export const requestsOf = (requests: Requests): string[] =>
  requests.map(({ method, route }) => `${method} ${route}`);

/** The items of a list, such as `GET /user, PUT /projects/:id` or `nothing`. */
export const listed = (rest: string): string[] => (rest === "nothing" ? [] : rest.split(", "));

/** `sent A, B` or `sent 3`: writes. `asked A, B` or `asked first A`: all requests. `requests 2 A`: their number. */
export function expectRequests(requests: Requests, word: "sent" | "asked" | "requests", rest: string): void {
  const all = requestsOf(requests);
  if (word === "requests") {
    expectNumber(requests, rest);
    return;
  }
  if (word === "asked") {
    const wanted = listed(rest.replace(/^first /, ""));
    const found = rest.startsWith("first ") ? all.slice(0, wanted.length) : all;
    expect(found.sort()).toEqual(wanted.sort());
    return;
  }
  const writes = all.filter((one) => !one.startsWith("GET "));
  if (/^\d+$/.test(rest)) expect(writes).toHaveLength(Number(rest));
  else expect(writes).toEqual(listed(rest));
}

/** `2 GET /user`, `0 /projects/1/` for a part of an address, or `/projects/:id = /projects/1` for a route's addresses. */
function expectNumber(requests: Requests, rest: string): void {
  const [, wantedRoute, urls] = /^(\/\S+) = (.*)$/.exec(rest) ?? [];
  if (urls !== undefined) {
    const found = requests.filter(({ route }) => route === wantedRoute);
    const wanted = urls === "nothing" ? [] : urls.split(" ");
    expect(found.map(({ url }) => url.replace("/api/v4", "")).sort()).toEqual(wanted);
    return;
  }
  const [, count, which] = /^(\d+) (.*)$/.exec(rest)!;
  const found = requests.filter(({ method, route, url }) =>
    which!.startsWith("/") ? url.includes(which!) : `${method} ${route}` === which,
  );
  expect(found).toHaveLength(Number(count));
}
