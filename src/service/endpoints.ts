import { containerRuleEndpoints } from "./areas/container-rules/endpoints";
import { enterpriseUserEndpoints } from "./areas/enterprise-users/endpoints";
import { environmentEndpoints } from "./areas/environments/endpoints";
import { groupEndpoints } from "./areas/groups/endpoints";
import { instanceEndpoints } from "./areas/instance/endpoints";
import { invitationEndpoints } from "./areas/invitations/endpoints";
import { jobTokenScopeEndpoints } from "./areas/job-token-scope/endpoints";
import { memberEndpoints } from "./areas/members/endpoints";
import { pagesEndpoints } from "./areas/pages/endpoints";
import { projectEndpoints } from "./areas/projects/endpoints";
import { protectedEnvironmentEndpoints } from "./areas/protected-environments/endpoints";
import { documentEndpoint } from "./areas/steward/document-endpoint";
import { stewardEndpoints } from "./areas/steward/endpoints";
import { faultEndpoints } from "./areas/steward/fault-endpoints";
import { templateEndpoints } from "./areas/templates/endpoints";
import { terraformStateEndpoints } from "./areas/terraform-states/endpoints";
import { userEndpoints } from "./areas/users/endpoints";
import { inMode } from "./compat/habit";
import type { Endpoint } from "./http/endpoint";
import { Faults } from "./http/faults";
import { openApiDocument } from "./http/openapi";
import { layOut } from "./json-layout";
import { DEFAULT_SETTINGS, type ServiceSettings } from "./settings";

/** The specification's areas first, then what stands around them. */
const ENDPOINTS: readonly Endpoint[] = [
  ...jobTokenScopeEndpoints,
  ...protectedEnvironmentEndpoints,
  ...pagesEndpoints,
  ...templateEndpoints,
  ...containerRuleEndpoints,
  ...invitationEndpoints,
  ...enterpriseUserEndpoints,
  ...userEndpoints,
  ...instanceEndpoints,
  ...groupEndpoints,
  ...projectEndpoints,
  ...memberEndpoints,
  ...environmentEndpoints,
  ...terraformStateEndpoints,
  ...stewardEndpoints,
];

/** Everything that an instance can serve; asking for faults is served only where it was allowed. */
const documented = (): readonly Endpoint[] => [...ENDPOINTS, DOCUMENT, ...faultEndpoints(new Faults())];

const DOCUMENT = documentEndpoint(() => openApiDocument(documented()));

/** The route table of an instance. */
export const endpointTable = (
  faults: Faults | undefined,
  settings: Pick<ServiceSettings, "compat"> = DEFAULT_SETTINGS,
): readonly Endpoint[] => [
  ...ENDPOINTS.filter(({ served }) => inMode(settings, served)),
  DOCUMENT,
  ...(faults === undefined ? [] : faultEndpoints(faults)),
];

/** The OpenAPI document as it is kept in `docs/openapi.json`. */
export const openApiText = (): string => `${layOut(openApiDocument(documented()))}\n`;
