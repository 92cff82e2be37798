import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HttpBackend } from "../../src/state/backends/http-backend";
import { formatState } from "../../src/state/format/format-state";
import { emptyState } from "../../src/state/model/model";
import { type HttpBackendBlock, httpBackendConfig } from "../../src/state/storage/http-config";
import {
  empty,
  type FaultServer,
  startFaultServer,
  startSecureFaultServer,
} from "../api/support/fault-server";
import { diagnosticOf } from "./scratch";

const pem = (name: string): string =>
  readFileSync(join(__dirname, "../api/support/certificates", name), "utf8");
const SERVER = { key: pem("server.key.pem"), cert: pem("server.pem") };
const AUTHORITY = { client_ca_certificate_pem: pem("authority.pem") };
const STATE = emptyState();

const servers: FaultServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((each) => each.close())));

async function storage(more: object = {}): Promise<(block: HttpBackendBlock) => HttpBackend> {
  const server = await startSecureFaultServer({ ...SERVER, ...more }, (_, response) => {
    response.end(formatState(STATE));
  });
  servers.push(server);
  return (block) =>
    new HttpBackend(httpBackendConfig({ address: `${server.baseUrl}/state`, retry_max: 0, ...block }, {}));
}

describe("a state on an https server", () => {
  test("if the server's certificate authority is not configured, reading the state fails", async () => {
    const backend = await storage();
    expect(await backend(AUTHORITY).read()).toEqual(STATE);
    const { code, detail } = await diagnosticOf(() => backend({ retry_max: 5, retry_wait_min: 3600 }).read());
    expect(code).toBe("state_http_unreachable");
    expect(detail).toMatch(/certificates/);
  });

  test("with skip_cert_verification, the state is read without a check of the certificate", async () => {
    const backend = await storage();
    expect(await backend({ skip_cert_verification: true }).read()).toEqual(STATE);
  });

  test("a server that requires a client certificate gets the configured certificate", async () => {
    const asks = { ca: pem("authority.pem"), requestCert: true, rejectUnauthorized: true };
    const backend = await storage(asks);
    const certificate = {
      client_certificate_pem: pem("client.pem"),
      client_private_key_pem: pem("client.key.pem"),
    };
    expect(await backend({ ...AUTHORITY, ...certificate }).read()).toEqual(STATE);
    expect((await diagnosticOf(() => backend(AUTHORITY).read())).code).toBe("state_http_unreachable");
  });
});

test("state, lock and journal can be on different hosts", async () => {
  const state = await startFaultServer(empty(404), empty(200));
  const lock = await startFaultServer(empty(200));
  const journal = await startFaultServer(empty(404));
  servers.push(state, lock, journal);
  const backend = new HttpBackend(
    httpBackendConfig(
      {
        address: `${state.baseUrl}/state`,
        lock_address: `${lock.baseUrl}/lock`,
        unlock_address: `${lock.baseUrl}/lock`,
        journal_address: `${journal.baseUrl}/journal`,
      },
      {},
    ),
  );
  const unlock = await backend.lock({ operation: "apply" });
  await backend.write(STATE);
  expect(await backend.journal.read()).toBeUndefined();
  await unlock();
  expect([state, lock, journal].map(({ seen }) => seen.map(({ method }) => method).join(" "))).toEqual([
    "GET POST",
    "LOCK UNLOCK",
    "GET",
  ]);
});
