import type { AnswerFormat } from './answers.ts'
import { azureAnswers } from './azure/azure-answers.ts'
import { kiwiAnswers } from './kiwi/kiwi-answers.ts'
import { practitestAnswers } from './practitest/practitest-answers.ts'
import { qaseAnswers } from './qase/qase-answers.ts'
import { qtestAnswers } from './qtest/qtest-answers.ts'
import { testlinkAnswers } from './testlink/testlink-answers.ts'
import { testmoAnswers } from './testmo/testmo-answers.ts'
import { testrailAnswers } from './testrail/testrail-answers.ts'
import { xrayAnswers } from './xray/xray-answers.ts'
import { zephyrScaleAnswers } from './zephyr/zephyr-scale-answers.ts'
import { zephyrSquadAnswers } from './zephyr/zephyr-squad-answers.ts'

/** The tools whose answers are read. */
export const ANSWER_FORMATS: readonly AnswerFormat[] = [
  testrailAnswers,
  qaseAnswers,
  xrayAnswers,
  zephyrScaleAnswers,
  zephyrSquadAnswers,
  testlinkAnswers,
  kiwiAnswers,
  testmoAnswers,
  azureAnswers,
  practitestAnswers,
  qtestAnswers,
]
