export { ownPlatform, platformOf, SCRIPT_PLATFORMS } from "./mirror/platform";
export type { PluginProgram } from "./mirror/provider-package";
export { writeMirror } from "./mirror/write-mirror";
export { type ReattachServer, servePlugin, serveReattach } from "./serve";
