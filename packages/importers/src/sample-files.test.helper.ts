/* Small files in the shape of each tool, for tests. */

/** Two sections, one inside the other; a case with separated steps, and one with texts. */
export const testRailXml = `<?xml version="1.0" encoding="UTF-8"?>
<suite><id>S1</id><name>Shop</name><sections>
  <section><name>Basket</name><description>All of it</description>
    <cases>
      <case><id>C11</id><title>Pays &amp; leaves</title><template>Test Case (Steps)</template><type>Functional</type>
        <priority>High</priority><estimate>1m 30s</estimate><references>SHOP-1, SHOP-2</references>
        <custom><preconds>Signed in</preconds><steps_separated>
          <step><index>1</index><content>Open **basket**</content><expected>It is shown</expected></step>
          <step><index>2</index><content>Pay</content><expected></expected></step>
        </steps_separated><severity><id>2</id><value>Major</value></severity></custom>
      </case>
    </cases>
    <sections><section><name>Cards</name><cases>
      <case><id>C12</id><title>Refuses</title><template>Test Case (Text)</template><type>Other</type><priority>Low</priority>
        <custom><steps>1. Enter a card\n2. Pay</steps><expected>1. It is taken\n2. It is refused</expected></custom>
      </case>
    </cases></section></sections>
  </section>
</sections></suite>`

export const testRailCsv = `"ID","Title","Created By","Estimate","Expected Result","Preconditions","Priority","Section","Section Hierarchy","Steps","Template","Type"
"C11","Pays","Ada","","It is paid","Signed in","High","Cards","Basket > Cards","1. Open
2. Pay","Test Case (Text)","Functional"
`

export const qaseCsv = `id,title,description,preconditions,postconditions,tags,priority,severity,type,behavior,automation,status,is_flaky,layer,steps_type,steps_actions,steps_result,steps_data,milestone_id,milestone,suite_id,suite_parent_id,suite,suite_without_cases,parameters,is_muted
,,,,,,,,,,,,,,,,,,,,1,,"Shop",1
,,,,,,,,,,,,,,,,,,,,2,1,"Basket",1
7,"Pays","Paying by card","Signed in","Signed out","smoke,card",high,major,functional,positive,is-not-automated,actual,no,e2e,classic,"1. Open
2. Pay","1. 
2. It is paid","1. 
2. 4711",,,2,1,"Basket",,,no
`

export const testLinkXml = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name=""><testsuite name="Basket"><details><![CDATA[]]></details>
<testcase internalid="4" name="Pays"><externalid><![CDATA[12]]></externalid><version><![CDATA[1]]></version>
<summary><![CDATA[<p>By <strong>card</strong></p>]]></summary><preconditions><![CDATA[<p>Signed in</p>]]></preconditions>
<execution_type><![CDATA[1]]></execution_type><importance><![CDATA[3]]></importance>
<steps><step><step_number><![CDATA[1]]></step_number><actions><![CDATA[<ul><li>Open</li><li>Pay</li></ul>]]></actions>
<expectedresults><![CDATA[<p>Paid</p>]]></expectedresults></step></steps>
<keywords><keyword name="smoke"><notes></notes></keyword></keywords></testcase>
</testsuite></testsuite>`

export const testLinkResults = `<?xml version="1.0" encoding="UTF-8"?>
<results><testproject name="Shop" prefix="WEB"/><testplan name="Release 2"/><build name="b1"/>
<testcase external_id="WEB-12"><tester>ada</tester><timestamp>2026-09-08 14:00:00</timestamp><result>f</result><notes>Broken</notes></testcase>
</results>`

export const zephyrXml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<project><projectKey>SHOP</projectKey><exportDate>2026-03-25 17:03:42 UTC</exportDate>
<folders><folder fullPath="Basket/Cards" index="2"/></folders>
<testCases><testCase id="1" key="SHOP-T5" paramType="TEST_DATA"><createdBy>Ada</createdBy><createdOn>2026-03-09 18:04:15 UTC</createdOn>
<folder><![CDATA[Basket/Cards]]></folder><labels><label><![CDATA[smoke]]></label></labels><name><![CDATA[Pays]]></name>
<objective><![CDATA[By card]]></objective><precondition><![CDATA[Signed&nbsp;in]]></precondition><priority><![CDATA[High]]></priority><status><![CDATA[Draft]]></status>
<testScript type="steps"><steps><step index="0"><description><![CDATA[Open<br/>the shop]]></description><expectedResult><![CDATA[Shown]]></expectedResult><testData><![CDATA[4711]]></testData></step></steps></testScript>
</testCase></testCases></project>`

export const xrayCsv = `Issue ID,Issue Key,Test Type,Test Summary,Test Priority,Action,Data,Result,Test Repo,Precondition,Issue Type,Precondition Type
1,SHOP-7,Manual,Pays,High,Open *basket*,,Shown,Basket/Cards,,test,
1,,,,,Pay,4711,Paid,,,,
`

export const feature = `@smoke @TEST_SHOP-9
Feature: Basket

  Background:
    Given a signed-in customer

  Scenario Outline: Pays by <card>
    When she pays by <card>
    Then it is paid

    Examples:
      | card |
      | Visa |
`

export const sheetCsv = `Test ID;Module;Test Case;Test Steps;Expected Result;Priority
T1;Basket;Pays;"1) Open
2) Pay";"1) Shown
2) Paid";High
T2;Basket;Refuses;Pay;Refused;Low
`

export const markdown = `# Basket

## Pays

Preconditions: signed in

### Steps

1. Open
2. Pay

### Expected

It is paid
`
