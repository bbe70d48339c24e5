/** A denial in a sentence, for `orb why`. */
import { type Rule, subjectText } from '../comply/index.ts';

export function denialSentence(rule: Rule): string {
  const { by, at, reason, erases, kind } = rule;
  if (kind === 'region') {
    return `It is not asked now: ${subjectText(rule)} is being erased, by ${by} since ${at}: ${reason}.`;
  }
  const what = erases ? 'was taken down' : 'is blocked';
  return `It is never asked again: ${subjectText(rule)} ${what} by ${by} on ${at}: ${reason}.`;
}
