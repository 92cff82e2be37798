import { readFileSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { openApiText } from "../../../src/service";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test("docs/openapi.json equals the document that the service generates from its endpoints", () => {
  expect(readFileSync(path.join(__dirname, "../../../docs/openapi.json"), "utf8")).toBe(openApiText());
});

test("the service returns the generated OpenAPI document at /_steward/openapi.json", async () => {
  const response = await fetch(`${service.url}/_steward/openapi.json`);
  expect(await response.json()).toEqual(JSON.parse(openApiText()));
});

test("every $ref in the OpenAPI document has a target", () => {
  const text = openApiText();
  const document = JSON.parse(text) as Record<string, unknown>;
  expect(document["openapi"]).toBe("3.1.0");
  for (const [, reference] of text.matchAll(/"\$ref": "#\/([^"]+)"/g)) {
    const steps = reference!.split("/");
    const found = steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document);
    expect({ reference, found: typeof found }).toEqual({ reference, found: "object" });
  }
  const names = [...text.matchAll(/"operationId": "([^"]+)"/g)].map((match) => match[1]);
  expect(new Set(names).size).toBe(names.length);
});
