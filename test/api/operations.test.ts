import { createClient } from "../../src/api";
import { OPERATIONS } from "../../src/api/areas";

describe("the table of operations", () => {
  test("the name of each operation equals the operation's path in the client", () => {
    const client = createClient({ baseUrl: "https://steward.example", token: "t", env: {} });
    const methods = Object.entries(client)
      .filter(([, area]) => typeof area === "object")
      .flatMap(([area, of]) => Object.keys(of).map((name) => `${area}.${name}`));
    expect(OPERATIONS.map(({ name }) => name).sort()).toEqual(methods.sort());
  });

  test("the table contains every operation of the specification", () => {
    const paths = OPERATIONS.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ":")}`);
    expect(paths).toEqual(
      expect.arrayContaining([
        "GET /projects/:/job_token_scope",
        "PATCH /projects/:/job_token_scope",
        "GET /projects/:/job_token_scope/allowlist",
        "POST /projects/:/job_token_scope/allowlist",
        "DELETE /projects/:/job_token_scope/allowlist/:",
        "GET /projects/:/job_token_scope/groups_allowlist",
        "POST /projects/:/job_token_scope/groups_allowlist",
        "DELETE /projects/:/job_token_scope/groups_allowlist/:",
        "GET /projects/:/protected_environments",
        "GET /projects/:/protected_environments/:",
        "POST /projects/:/protected_environments",
        "PUT /projects/:/protected_environments/:",
        "DELETE /projects/:/protected_environments/:",
        "GET /projects/:/pages",
        "PATCH /projects/:/pages",
        "DELETE /projects/:/pages",
        "GET /templates/:",
        "GET /templates/:/:",
        "GET /projects/:/registry/protection/repository/rules",
        "POST /projects/:/registry/protection/repository/rules",
        "PATCH /projects/:/registry/protection/repository/rules/:",
        "DELETE /projects/:/registry/protection/repository/rules/:",
        ...["projects", "groups"].flatMap((kind) => [
          `POST /${kind}/:/invitations`,
          `GET /${kind}/:/invitations`,
          `PUT /${kind}/:/invitations/:`,
          `DELETE /${kind}/:/invitations/:`,
        ]),
        "GET /groups/:/enterprise_users",
        "GET /user",
      ]),
    );
  });
});
