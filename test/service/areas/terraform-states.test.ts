import { tokenOf } from "../company";
import { useCompany } from "../use-company";

const { send, service } = useCompany("all tests");

const STATE = "/projects/1/terraform/state/production";
const lock = { ID: "one", Who: "ann@laptop", Operation: "apply" };

/** The story of one state. */
describe("settled: states of Terraform", () => {
  test("404 before the first one is saved", async () => {
    expect(await send("GET", STATE)).toMatchObject({ status: 404, body: { message: "404 State Not Found" } });
  });

  test("comes back byte for byte as it was saved", async () => {
    const text = '{\n  "version": 4, "big": 9007199254740993\n}\n';
    const headers = { "private-token": tokenOf("maintainer"), "content-type": "application/json" };
    const address = `${service().url}/api/v4${STATE}`;
    expect((await fetch(address, { method: "POST", headers, body: text })).status).toBe(200);
    expect(await (await fetch(address, { headers })).text()).toBe(text);
  });

  test("accepts the token as Basic password, unlike all other endpoints", async () => {
    const headers = {
      authorization: `Basic ${Buffer.from(`ann:${tokenOf("maintainer")}`).toString("base64")}`,
    };
    expect((await send("GET", STATE, { token: null, headers })).status).toBe(200);
    expect((await send("GET", "/user", { token: null, headers })).status).toBe(401);
  });

  test("a locked state answers 409 with its lock to others", async () => {
    expect((await send("POST", `${STATE}/lock`, { json: lock })).status).toBe(200);
    const second = await send("POST", `${STATE}/lock`, { json: { ID: "two" } });
    expect(second).toMatchObject({ status: 409, body: lock });
    expect((await send("POST", STATE, { json: { version: 4 } })).status).toBe(409);
    expect((await send("POST", `${STATE}?ID=two`, { json: { version: 4 } })).status).toBe(409);
    expect((await send("POST", `${STATE}?ID=one`, { json: { version: 4 } })).status).toBe(200);
  });

  test.each([
    ["none at all", { Who: "ann" }],
    ["null", { ID: null }],
    ["an empty one", { ID: "" }],
    ["a number", { ID: 1 }],
    ["a list", { ID: ["one"] }],
    ["an object", {}],
  ])(
    "400 for a lock whose id is %s, also where the query has one: nobody could give it back",
    async (_, json) => {
      const other = STATE.replace("production", "staging");
      for (const query of ["", "?ID=one"]) {
        expect((await send("POST", `${other}/lock${query}`, { json })).status).toBe(400);
      }
      expect((await send("DELETE", `${other}/lock`, { json: { ID: "one" } })).status).toBe(404);
    },
  );

  test.each([
    ["broken JSON", "{"],
    ["a list", "[]"],
    ["a text", '"one"'],
  ])("400 for a lock that is %s, when it is taken and when it is given back", async (_, form) => {
    const headers = { "content-type": "application/json" };
    for (const method of ["POST", "DELETE"]) {
      expect((await send(method, `${STATE}/lock`, { form, headers })).status).toBe(400);
    }
  });

  test("only the holder unlocks with an id", async () => {
    expect((await send("DELETE", `${STATE}/lock`, { json: { ID: "two" } })).status).toBe(409);
    expect((await send("DELETE", `${STATE}/lock`, { json: lock })).status).toBe(200);
    expect((await send("DELETE", `${STATE}/lock`, { json: lock })).status).toBe(404);
  });

  test("terraform force-unlock, which sends no lock and no id, frees the lock of another: it was 409", async () => {
    expect((await send("POST", `${STATE}/lock`, { json: lock })).status).toBe(200);
    const forced = await send("DELETE", `${STATE}/lock`, { token: tokenOf("developer") });
    expect(forced.status).toBe(403);
    expect((await send("DELETE", `${STATE}/lock`)).status).toBe(200);
    expect((await send("POST", `${STATE}/lock`, { json: { ID: "two" } })).status).toBe(200);
    expect((await send("DELETE", `${STATE}/lock?ID=one`)).status).toBe(409);
    expect((await send("DELETE", `${STATE}/lock?ID=two`)).status).toBe(200);
  });

  test("is read by Developers, saved by Maintainers, and a body is needed", async () => {
    expect((await send("GET", STATE, { token: tokenOf("developer") })).status).toBe(200);
    const refused = await send("POST", STATE, { token: tokenOf("developer"), json: { version: 4 } });
    expect(refused.status).toBe(403);
    expect((await send("POST", STATE)).status).toBe(400);
  });

  test("a deleted state is 404", async () => {
    expect((await send("DELETE", STATE)).status).toBe(200);
    expect((await send("GET", STATE)).status).toBe(404);
  });
});
