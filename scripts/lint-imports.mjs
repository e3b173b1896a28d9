import { dirname, relative, resolve, sep } from 'node:path';
import { root } from './project.mjs';
import { mayImport, rooms } from './rooms.mjs';

/** oxlint knows cycles but not rooms. A type-only import is gone before the code runs: the schemas' types are anyone's. */
const whoImportsWhom = {
  meta: { type: 'problem' },
  create(context) {
    const file = pathInProject(context.filename);
    const room = roomOf(file);
    const check = (node) => {
      if (!node.source || typeof node.source.value !== 'string') return;
      const target = roomOf(targetOf(node.source.value, context.filename));
      if (target === undefined || target === room || mayImport[room]?.includes(target)) return;
      if (target === 'schemas' && isTypeOnly(node)) return;
      context.report({ node: node.source, message: `${room ?? file} must not import ${target} (scripts/rooms.mjs)` });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
      TSImportType: check,
    };
  },
};

function roomOf(path) {
  return rooms.find(([, pattern]) => pattern.test(path))?.[0];
}

function targetOf(specifier, importer) {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? pathInProject(resolve(dirname(importer), specifier)) : specifier;
}

function pathInProject(path) {
  return relative(root, path).replaceAll(sep, '/');
}

function isTypeOnly({ type, importKind, exportKind }) {
  return type === 'TSImportType' || importKind === 'type' || exportKind === 'type';
}

export default { meta: { name: 'stena' }, rules: { 'who-imports-whom': whoImportsWhom } };
