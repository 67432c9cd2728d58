export declare function stepsOf(work: () => void): number
