/** The parts of package.json that are only for this repository. */
const LEFT_OUT = new Set(["scripts", "devDependencies", "bundleDependencies", "overrides", "knip", "files"]);

/** The package.json of one family. `packages` are the imports of the package's files. */
function familyManifest(manifest, { library, peers }, packages) {
  const kept = Object.fromEntries(Object.entries(manifest).filter(([key]) => !LEFT_OUT.has(key)));
  const dependencies = Object.entries(manifest.dependencies).filter(([name]) => packages.has(name));
  return {
    ...kept,
    name: `${library}-provider-steward`,
    keywords: manifest.keywords.map((word) => (word === "cdktf" ? library : word)),
    peerDependencies:
      peers === undefined ? manifest.peerDependencies : { ...peers, ...optionalPeers(manifest) },
    dependencies: Object.fromEntries(dependencies),
  };
}

/** The parts that serve both families: a user may have it. */
const optionalPeers = ({ peerDependencies, peerDependenciesMeta }) =>
  Object.fromEntries(
    Object.entries(peerDependencies).filter(([name]) => peerDependenciesMeta[name]?.optional),
  );

module.exports = { familyManifest };
