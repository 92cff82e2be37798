import { createClient } from "../../../src/api";
import { deepJson } from "../../support/deep-json";
import { failureOf } from "../support/failure-of";
import { type Behaviour, type FaultServer, startFaultServer } from "../support/fault-server";
import { anyRecord, LISTS, listOf } from "../support/list-behaviours";

let server: FaultServer;
afterEach(() => server.close());

const DEEP = deepJson(200_000, "both");
const client = () => createClient({ baseUrl: server.baseUrl, token: "t", env: {}, maxAttempts: 1 });
const text =
  (status: number, body: string): Behaviour =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };
const withField = (record: object, name: string) =>
  `${JSON.stringify(record).slice(0, -1)},${JSON.stringify(name)}:${DEEP}}`;

describe.each([
  ["as a whole", DEEP],
  ["in a field that is not read", withField({ id: 1, path_with_namespace: "a/b" }, "extra")],
  ["in place of a text", withField({ id: 1 }, "path_with_namespace")],
])("a response nested 200,000 levels deep %s", (_, body) => {
  test("a deeply nested response is an error with the code unexpected_answer, not a RangeError", async () => {
    server = await startFaultServer(text(200, body));
    const error = await failureOf(client().projects.get(1));
    expect(error).toMatchObject({ code: "unexpected_answer", operation: "projects.get", status: 200 });
    expect(error.message).toContain("nested more than 512 levels deep");
  });

  test("the error of a deeply nested response to a change says that the change may have been executed", async () => {
    server = await startFaultServer(text(201, body));
    const error = await failureOf(client().jobTokenScope.addProject(1, 2));
    expect(error).toMatchObject({ code: "unexpected_answer", mayHaveBeenDone: true });
  });
});

test.each(LISTS.map(({ name, path }) => [name, path]))(
  "if a record in a list is nested 200,000 levels deep, reading the list ends with an error: %s",
  async (name, path) => {
    server = await startFaultServer(text(200, `[${withField(anyRecord(1), "extra")}]`));
    const error = await failureOf(listOf(client(), name, path).toArray());
    expect(error).toMatchObject({ code: "unexpected_answer", operation: name });
  },
);

test.each([
  [400, "bad_request"],
  [403, "forbidden"],
  [409, "conflict"],
  [500, "service_failed"],
])(
  "the error of a refusal nested 200,000 levels deep has the code of its status: %i",
  async (status, code) => {
    for (const body of [DEEP, `{"message":${DEEP}}`, `{"error":${DEEP}}`]) {
      server = await startFaultServer(text(status, body));
      expect(await failureOf(client().projects.get("a/b"))).toMatchObject({
        code,
        serviceMessage: undefined,
      });
      await server.close();
    }
  },
);
