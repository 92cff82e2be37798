import type { ServiceOfTest } from "./service-of-test";

/** Asks the service as its administrator. @throws Error if it refuses */
export async function getFrom(service: ServiceOfTest, path: string): Promise<unknown> {
  const answer = await ask(service, path);
  if (!answer.ok) throw new Error(`The service answered ${answer.status} to GET ${path}.`);
  return answer.json();
}

/** The same; undefined if the service has no such object. */
export async function find(
  service: ServiceOfTest,
  path: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const answer = await ask(service, path);
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`The service answered ${answer.status} to GET ${path}.`);
  return (await answer.json()) as Readonly<Record<string, unknown>>;
}

/** The embedded service has paths of its own beside the API. */
const ask = ({ url, adminToken }: ServiceOfTest, path: string): Promise<Response> =>
  fetch(`${url}${path.startsWith("/_steward/") ? "" : "/api/v4"}${path}`, {
    headers: { "PRIVATE-TOKEN": adminToken },
  });
