import { describeWith } from "../../support/capabilities";
import { HttpProxy, type Passage } from "../../support/http-proxy";
import { useCompany } from "../support/company";

// In these tests, a proxy responds to the changes of a real engine with a sign-in page. If the change never reached the
// service, the run must end with an error. If the change reached the service, it counts as done, with one warning.
// `provider/unproven-writes` covers all combinations.

jest.setTimeout(120_000);

const environment = (name: string) => `resource "steward_protected_environment" "${name}" {
  project              = "acme/docs"
  name                 = "${name}"
  deploy_access_levels = [{ access_level = 40 }]
}
`;

describeWith("engine", "changes that are answered by a sign-in page", (engine) => {
  const company = useCompany(engine);
  let proxy: HttpProxy;
  let pass: (passage: Passage) => Promise<void> | void;
  let address: string;

  beforeEach(async () => {
    pass = async (passage) => passage.answer(await passage.forward());
    proxy = new HttpProxy(company().service.url, (passage) => pass(passage));
    address = await proxy.start();
  });
  afterEach(() => proxy.close());

  /** Returns a workspace whose requests go through the proxy. */
  async function workspaceOf(resources: string) {
    const workspace = await company().reattached();
    workspace.write("provider.tf", workspace.read("provider.tf").replace(company().service.url, address));
    workspace.write("main.tf", resources);
    return workspace;
  }

  const signIn = (isForwarded: boolean) => async (passage: Passage) => {
    if (!passage.isWrite) return passage.answer(await passage.forward());
    if (isForwarded) await passage.forward();
    const body = Buffer.from("<title>Sign in</title>");
    passage.answer({ status: 200, headers: { "content-type": "text/html" }, body });
  };

  test("if the response to an executed DELETE is a sign-in page, destroy succeeds with one warning", async () => {
    const workspace = await workspaceOf(environment("one") + environment("two"));
    await workspace.apply();

    pass = signIn(false);
    const failed = await workspace.run(["destroy", "-auto-approve"]);
    expect(failed.code).toBe(1);
    expect(Object.keys(await workspace.state()).sort()).toEqual([
      "steward_protected_environment.one",
      "steward_protected_environment.two",
    ]);

    pass = signIn(true);
    const done = await workspace.run(["destroy", "-auto-approve"]);
    expect(done.code).toBe(0);
    expect(done.output.match(/Unexpected response, but the change is done/g)).toHaveLength(1);
    expect(await workspace.state()).toEqual({});
  });

  test("if a create did not reach the service, the next apply creates the object", async () => {
    const workspace = await workspaceOf(environment("three"));
    pass = signIn(false);
    expect((await workspace.run(["apply", "-auto-approve"])).code).toBe(1);
    expect(await workspace.state()).toEqual({});
    pass = signIn(true);
    expect((await workspace.run(["apply", "-auto-approve"])).code).toBe(0);
    pass = signIn(false);
    expect((await workspace.plan()).changes).toBe(false);
  });
});
