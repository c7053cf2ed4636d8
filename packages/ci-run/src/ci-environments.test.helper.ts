/* The environment of a job in each CI system, from the system's documentation of predefined variables. */

export const github = {
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_RUN_ID: '19482736512',
  GITHUB_RUN_NUMBER: '7',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_JOB: 'test',
  GITHUB_REPOSITORY: 'octo-org/shop',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_HEAD_REF: '',
  GITHUB_REF: 'refs/heads/feature/cart',
  GITHUB_REF_NAME: 'feature/cart',
  GITHUB_SHA: 'ffac537e6cbbf934b08745a378932722df287a53',
}
export const gitlab = {
  CI: 'true',
  GITLAB_CI: 'true',
  CI_PIPELINE_ID: '1064',
  CI_PIPELINE_IID: '12',
  CI_PIPELINE_URL: 'https://gitlab.example.com/shop/web/-/pipelines/1064',
  CI_JOB_ID: '50',
  CI_JOB_NAME: 'test',
  CI_COMMIT_REF_NAME: 'main',
  CI_COMMIT_SHA: '1ecfd275763eff1d6b4844ea3168962458c9f27a',
  CI_NODE_TOTAL: '1',
}
export const circle = {
  CI: 'true',
  CIRCLECI: 'true',
  CIRCLE_WORKFLOW_ID: 'a0e2f4c6-0000-4000-8000-000000000002',
  CIRCLE_WORKFLOW_JOB_ID: 'a0e2f4c6-0000-4000-8000-00000000000a',
  CIRCLE_WORKFLOW_WORKSPACE_ID: 'a0e2f4c6-0000-4000-8000-000000000001',
  CIRCLE_BUILD_NUM: '310',
  CIRCLE_BUILD_URL: 'https://circleci.com/gh/shop/web/310',
  CIRCLE_BRANCH: 'main',
  CIRCLE_SHA1: '5b1f9c2',
  CIRCLE_NODE_INDEX: '0',
  CIRCLE_NODE_TOTAL: '1',
}
export const azure = {
  TF_BUILD: 'True',
  BUILD_BUILDID: '4711',
  BUILD_BUILDNUMBER: '20261121.3',
  BUILD_SOURCEBRANCH: 'refs/heads/feature/cart',
  BUILD_SOURCEBRANCHNAME: 'cart',
  BUILD_SOURCEVERSION: '0b5d7c1',
  SYSTEM_COLLECTIONURI: 'https://dev.azure.com/fabrikam/',
  SYSTEM_TEAMPROJECT: 'Web shop',
  SYSTEM_JOBPOSITIONINPHASE: '1',
  SYSTEM_TOTALJOBSINPHASE: '1',
}
export const buildkite = {
  CI: 'true',
  BUILDKITE: 'true',
  BUILDKITE_BUILD_ID: '4735ba57-80d0-46e2-8fa0-b28223a86586',
  BUILDKITE_BUILD_NUMBER: '1514',
  BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/shop/builds/1514',
  BUILDKITE_BRANCH: 'main',
  BUILDKITE_COMMIT: '83a20ec058e2fb00e7fa4558c4c6e81e2dcf253d',
  BUILDKITE_JOB_ID: 'e44f9784-e20e-4b93-a21d-f41fd5869db9',
}
export const bitbucket = {
  CI: 'true',
  BITBUCKET_BUILD_NUMBER: '88',
  BITBUCKET_REPO_FULL_NAME: 'acme/shop',
  BITBUCKET_GIT_HTTP_ORIGIN: 'https://bitbucket.org/acme/shop',
  BITBUCKET_BRANCH: 'main',
  BITBUCKET_COMMIT: '7f777ed95a19224294949e1b4ce56bbffcb1fe9f',
  BITBUCKET_STEP_UUID: '{e44f9784}',
}
export const jenkins = {
  BUILD_TAG: 'jenkins-shop-main-15',
  BUILD_NUMBER: '15',
  BUILD_DISPLAY_NAME: '#15',
  BUILD_URL: 'https://ci.example.com/job/shop/job/main/15/',
  JENKINS_URL: 'https://ci.example.com/',
  JOB_NAME: 'shop/main',
  BRANCH_NAME: 'main',
  GIT_BRANCH: 'origin/main',
  GIT_COMMIT: 'ce9a3c1404e8c91be604088670e93434c4253f03',
}
