import { containerRuleEndpoints } from "../areas/container-rules";
import { environmentEndpoints } from "../areas/environments";
import { groupEndpoints } from "../areas/groups";
import { documentEndpoint, instanceEndpoints } from "../areas/instance";
import { invitationEndpoints } from "../areas/invitations";
import { issueEndpoints } from "../areas/issues";
import { jobTokenScopeEndpoints } from "../areas/job-token-scope";
import { jobEndpoints } from "../areas/jobs";
import { memberEndpoints } from "../areas/members";
import { mergeRequestNoteEndpoints } from "../areas/merge-request-notes";
import { mergeRequestEndpoints } from "../areas/merge-requests";
import { noteReactionEndpoints } from "../areas/note-reactions";
import { pagesEndpoints } from "../areas/pages";
import { pipelineEndpoints } from "../areas/pipelines";
import { projectEndpoints } from "../areas/projects";
import { protectedEnvironmentEndpoints } from "../areas/protected-environments";
import { pushEndpoints } from "../areas/pushes";
import { faultEndpoints, stewardEndpoints } from "../areas/steward";
import { templateEndpoints } from "../areas/templates";
import { terraformStateEndpoints } from "../areas/terraform-states";
import { enterpriseUserEndpoints, userEndpoints } from "../areas/users";
import type { Endpoint } from "../endpoint/endpoint";
import { Faults } from "../endpoint/faults";
import { openApiDocument } from "../endpoint/openapi";
import { chosen, DEFAULT_SETTINGS, type ServiceSettings } from "../settings/settings";

/** The endpoints of the specification, followed by additional endpoints. */
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
  ...mergeRequestEndpoints,
  ...mergeRequestNoteEndpoints,
  ...noteReactionEndpoints,
  ...pushEndpoints,
  ...pipelineEndpoints,
  ...jobEndpoints,
  ...issueEndpoints,
  ...stewardEndpoints,
];

/**
 * Returns all documented endpoints. The result contains the endpoints for faults, although the service has these
 * endpoints only with `allowFaults`.
 */
const documented = (): readonly Endpoint[] => [...ENDPOINTS, ...DOCUMENT, ...faultEndpoints(new Faults())];

const DOCUMENT = documentEndpoint(() => openApiDocument(documented()));

/** Returns the route table of an instance. */
export const endpointTable = (
  faults: Faults | undefined,
  settings: Pick<ServiceSettings, "habits"> = DEFAULT_SETTINGS,
): readonly Endpoint[] => [
  ...ENDPOINTS.filter(({ served }) => served === undefined || chosen(settings, served)),
  ...DOCUMENT,
  ...(faults === undefined ? [] : faultEndpoints(faults)),
];

/** Returns the text of the OpenAPI document, which `docs/openapi.json` contains. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(documented()), null, 2)}\n`;
