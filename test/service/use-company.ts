import { type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "./client";
import { company } from "./company";

/** Starts a service with the company's fixture: one for each test of a file, or one for all tests of the file. */
export function useCompany(scope: "each test" | "all tests" = "each test") {
  let service: Service;
  const [before, after] = scope === "each test" ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    service = await startService({ fixture: company() });
  });
  after(() => service.close());
  const send: ReturnType<typeof client> = (...request) => client(service)(...request);
  return { send, service: () => service };
}
