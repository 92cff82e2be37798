import { describeWith } from "../../support/capabilities";
import { HOSTILE, obeyedLines } from "../../support/hostile";
import { HttpProxy } from "../../support/http-proxy";
import { Company } from "../support/company";

jest.setTimeout(120_000);

const CONFIGURATION = `resource "steward_protected_environment" "this" {
  project              = "acme/web-shop"
  name                 = "production"
  deploy_access_levels = [{ access_level = 40 }]
}
`;

describeWith("engine", "refusal messages of the service", (engine) => {
  let company: Company;
  let proxy: HttpProxy;
  let url: string;
  beforeAll(async () => {
    company = await Company.installing(engine);
    proxy = new HttpProxy(company.service.url, async (passage) => {
      if (passage.url.includes("protected_environments")) passage.refuse(400, HOSTILE);
      else passage.answer(await passage.forward());
    });
    url = await proxy.start();
  });
  afterAll(async () => {
    proxy.close();
    await company.end();
  });

  test.each([[["-no-color"]], [["-json"]]])(
    "cannot inject a line into plan and apply with %j",
    async (options) => {
      const workspace = await company.reattached();
      workspace.write("main.tf", CONFIGURATION);
      workspace.write("provider.tf", workspace.read("provider.tf").replace(company.service.url, url));
      const { code, output } = await workspace.run(["apply", "-auto-approve", ...options]);
      expect(code).toBe(1);
      expect(output).toContain("PWNED");
      // Terraform wraps a detail between words where it likes: a word may begin a line, and none is obeyed there.
      expect(obeyedLines(output)).toEqual([]);
    },
  );

  test("cannot inject a line into the log that Terraform writes of the provider's", async () => {
    const workspace = company.workspace({ STEWARD_BASE_URL: url, TF_LOG_PROVIDER: "trace" });
    workspace.write("main.tf", CONFIGURATION);
    await workspace.succeed("init");
    const { output } = await workspace.run(["apply", "-auto-approve"]);
    expect(output).toContain("protected_environments");
    // What Terraform writes about itself has tabs.
    expect(obeyedLines(output.replaceAll("\t", " "))).toEqual([]);
  });
});
