import { createProvider } from "../../src/provider";
import { protocolMessages } from "../plugin/protocol-messages";
import { commandsPage } from "./commands-page";
import { constructKeyCopies, constructs } from "./constructs";
import { dataSourceExamples, resourceExamples } from "./example-apps";
import { fixtureSchema } from "./fixture-schema";
import type { Generator } from "./generated-files";
import { livePlatformPage } from "./live-platform-page";
import { newAppFiles } from "./new-app-files";
import { openApiDocument } from "./openapi-document";
import { operationsPage } from "./operations-page";
import { referencePages } from "./reference-pages";
import { reportSchemaFile } from "./report-schema";
import { specificationPage } from "./specification-page";

/** Returns the generators of all files that come from the provider, the client or the service. */
export function generators(): readonly Generator[] {
  const provider = createProvider();
  return [
    constructs(provider.schema),
    constructKeyCopies(),
    referencePages(provider),
    resourceExamples(provider.schema),
    dataSourceExamples(provider.schema),
    commandsPage(),
    operationsPage(),
    specificationPage(),
    openApiDocument(),
    livePlatformPage(),
    fixtureSchema(),
    reportSchemaFile(),
    protocolMessages(),
    newAppFiles(),
  ];
}
