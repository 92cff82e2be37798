import type { Service } from "../../../src/service";

type Requests = Service["requests"]["all"];

/** Returns the requests by method and route. */
export const requestsOf = (requests: Requests): string[] =>
  requests.map(({ method, route }) => `${method} ${route}`);

/** Splits a list, such as `GET /user, PUT /projects/:id`. The word `nothing` is an empty list. */
export const listed = (rest: string): string[] => (rest === "nothing" ? [] : rest.split(", "));

/**
 * Handles `sent A, B` and `sent 3` for writes, and `asked A, B` and `asked first A` for all requests. Handles `requests 2
 * A` for the number of requests.
 */
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

/**
 * Handles `2 GET /user` (a method and a route) and `0 /projects/1/` (a part of an address). Also handles `/projects/:id =
 * /projects/1`, which lists the addresses of a route.
 */
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
