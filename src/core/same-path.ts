/** What Unicode says is not to be seen; some file systems pass over it. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** A stream, and what Windows drops from the end of a name. */
const DROPPED = /(?:::?\$?\w*)?[. ]*$/;

/** Nearly every path: nothing to do but the case. */
const PLAIN = /^(?:[!-\-0-9;-~]|\/|\.(?!\/|$))*$/;

/** A path in a form that is the same for all spellings which some file system takes for one: case, Unicode forms, endings of Windows. */
export function foldedPath(path: string): string {
  if (PLAIN.test(path)) return path.toLowerCase();
  return path.split('/').map(foldedPart).join('/');
}

function foldedPart(part: string): string {
  const plain = part.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
  return plain.replace(DROPPED, '') || plain;
}
