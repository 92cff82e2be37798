import {
  type FixtureInput,
  type Service,
  type ServiceOptions,
  startService,
} from "cdktf-provider-steward/testing";
import { type Snapshot, type SnapshotOptions, takeSnapshot } from "../../../src/snapshot";

type Selected = Partial<SnapshotOptions["selection"]> & { readonly anonymize?: boolean };

/** Takes a snapshot of groups with everything in them. Fails if there are diagnostics. */
export async function snapshotOf(
  { url, adminToken }: Pick<Service, "url" | "adminToken">,
  names: readonly string[],
  { anonymize = false, token = adminToken, ...selection }: Selected & { readonly token?: string } = {},
): Promise<Snapshot> {
  const { snapshot, diagnostics } = await takeSnapshot({
    selection: { names, contents: "nested", ...selection },
    anonymize,
    env: { STEWARD_BASE_URL: url, STEWARD_TOKEN: token },
  });
  expect(diagnostics).toEqual([]);
  return snapshot!;
}

/** Calls `run` with a new service, and closes the service afterwards. */
export async function withService<Result>(
  fixture: FixtureInput | string,
  run: (service: Service) => Promise<Result>,
  options: ServiceOptions = {},
): Promise<Result> {
  const service = await startService({ fixture, ...options });
  try {
    return await run(service);
  } finally {
    await service.close();
  }
}

/** Creates a token with only read access for a user, as an administrator. Returns the token. */
export async function readOnlyToken({ url, adminToken }: Service, username: string): Promise<string> {
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/api/v4${path}`, {
      method,
      headers: { "private-token": adminToken, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.ok).toBe(true);
    return response.json();
  };
  const [user] = (await send("GET", `/users?username=${encodeURIComponent(username)}`)) as [{ id: number }];
  const grant = { name: "snapshot", scopes: ["read_api"] };
  return ((await send("POST", `/users/${user.id}/personal_access_tokens`, grant)) as { token: string }).token;
}
