import type { Random } from './types.ts'

export declare function singleUnits(text: string): string[]
export declare function randomPieces(text: string, random: Random): string[]
export declare function allSplits(text: string): string[][]
