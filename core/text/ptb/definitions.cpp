// Patterns with names, for use in the rules. They are case-sensitive except inside (?i:...).
#include <iterator>

#include "text/ptb/rules.hpp"

namespace bolide::ptb {
namespace {

constexpr Definition named[] = {
    // White space. GAP is what separates sentences.
    {"SPACE", R"([ \u0009\u00A0\u2000-\u200A\u3000])"},
    {"BREAK", R"((\u000D\u000A|[\u000A-\u000D\u2028\u2029]))"},
    {"ONE_GAP", R"(({SPACE}|[\u000A-\u000D\u0085\u2028\u2029]))"},
    {"GAP", R"(({ONE_GAP}|\u000D\u000A))"},
    {"NOT_GAP", R"([^ \u0009-\u000D\u0085\u00A0\u2000-\u200A\u2028\u2029\u3000])"},

    // Words. A word may contain soft hyphens (U+00AD), and vowels that are written as entities.
    {"ACCENTED", R"(&[aeiouAEIOU](?i:acute|grave|uml);)"},
    {"WORD", R"((([{LETTER}{MARK}\u00AD]|{ACCENTED})([{LETTER}{MARK}{DIGIT}\u00AD]|{ACCENTED})*))"},
    {"WORD_END", R"(([^{LETTER}{MARK}{DIGIT}\u00AD]|$))"},
    {"ALNUM", R"([{LETTER}{DIGIT}]+)"},
    {"DOTTED", R"({WORD}([.!?]{WORD})+)"},

    // Apostrophes. Names and n't may have any single quotation mark.
    {"APOSTROPHE", R"((['\u0092\u2019]|(?i:&apos;)))"},
    {"SINGLE", R"((['`\u0091\u0092\u2018\u2019\u201B]|(?i:&apos;)))"},
    {"NT", R"([nN]{SINGLE}[tT])"},
    {"SUFFIX", R"({APOSTROPHE}([sS]|(?i:d|m|re|ve|ll)))"},
    {"CELTIC", R"([dDlLoO]{SINGLE}[{LETTER}{DIGIT}]{ALNUM})"},
    {"WITH_APOSTROPHE",
     R"(({CELTIC}|([A-HJ-XZ]|n){SINGLE}{LETTER}{LETTER}+|)"
     R"({LETTER}+[aeiouyAEIOUY]{SINGLE}[aeiouA-Z]{LETTER}*|)"
     R"((?i:cap{APOSTROPHE}n|c'mon|li'l|nat'l|ev'ry|nor'easter|o{SINGLE}o|e'er|ol{APOSTROPHE}|)"
     R"((dunk|someth)in{APOSTROPHE}|s'mores)))"},

    // Words with hyphens, slashes and other marks.
    {"COMPOUND", R"(({ALNUM}|{CELTIC})([_\-\u058A\u2010\u2011]({ALNUM}|{CELTIC}))+)"},
    {"ASCII_COMPOUND", R"([A-Za-z0-9][A-Za-z0-9.,\u00AD]*(-([A-Za-z0-9\u00AD]+|{ACRONYM}))+)"},
    {"SLASHED", R"([A-Za-z0-9]+(-[A-Za-z]+){0,2})"},
    {"COMPANY", R"(([A-Z]+(([+&]|(?i:&amp;))[A-Z]+)+))"},
    {"NAME_WITH_SIGNS", R"(([Cc]\+\+|[CcFf]#|(?i:s(&|&amp;)(ls|p-500))))"},
    {"FILE_PART", R"(([{LETTER}{DIGIT}{MARK}\u00AD]|{ACCENTED})+)"},
    {"EXTENSION",
     R"((?i:bat|bmp|c|cgi|class|cpp|dll|docx?|exe|gif|gz|h|html?|jar|java|jpe?g|mov|mp3|pdf|php|pl|png|ppt|)"
     R"(ps|py|sql|tar|txt|wav|x|xml|zip))"},

    // Numbers.
    {"DIGITS", R"({DIGIT}+(\u00AD{DIGIT}+)*)"},
    {"NUMBER", R"(({DIGITS}([.:,\u066B\u066C]{DIGITS})*|([.:,\u066B\u066C]{DIGITS})+))"},

    // Abbreviations. Titles do not end a sentence. ENDING may: their period is doubled if they do. The words
    // before a number keep their period only there: "No. 5", but "No . "
    {"TITLE",
     R"(((?i:adj|adm|adv|alex|assoc|asst|attys?|ave|brig|capt|cf|cie|cmdr|col|comdr|cont'd|cpl|dept|det|)"
     R"(drs?|elec|ens|ft|gen|govs?|hon|insp|invt|jos|lieut|lt|maj|messrs|mlle|mme|mr|mrs|ms|msgr|mt|natl|)"
     R"(pfc|ph|pres|profs?|pvt|reps?|rev|sens?|sfc|sgt|spc|ste?|supt|treas|vs|wm)|[Mm][ft][Gg])\.)"},
    {"ENDING",
     R"(((?i:ala?|apr|ariz|assn|aug|bancorp|bhd|bldg|blvd|bros|calif|co|colo|conn|corp|cos|ct|dak|dec|)"
     R"(ed\.d|esq|est|etc|ext|feb|fla|fri|ga|inc|ind|intl|jan|jr|jul|jun|kans?|ky|ltd|mar|md|mich|minn|mo|)"
     R"(mon|mont|neb|nev|nov|oct|okla|penn|ph\.d|plc|rd|rt|sept?|seq|sq|sr|sys|tel|tenn|thu|thurs|tues?|)"
     R"(univ|va|vt|wed|wisc?|wyo)|A(?i:rk|z)|D(?i:el)|I(?i:ll)|L(?i:a)|M(?i:ass|iss)|O(?i:re)|P(?i:a)|)"
     R"(T(?i:ex)|W(?i:ash)|(?i:p?pt)[ey](?i:s?))\.)"},
    {"BEFORE_NUMBER", R"((?i:art|ca|figs?|nos?|op|pp|prop)\.)"},
    {"NON_US", R"((?i:(canada|eu|japan|korean|non|sino)-u\.s))"},
    {"ACRONYM", R"(([A-Za-z](\.[A-Za-z])+|{NON_US})\.)"},
    // Words that begin a sentence, if an acronym is before them.
    {"STARTER",
     R"((A(?i:bout|ccording|dditionally|fter|n|s|t)?|B(?i:ut)|E(?i:arlier)|H(?i:e|er|ere|owever)|)"
     R"(I(?i:f|n|t)|L(?i:ast)|M(?i:any|ore)|N(?i:ow)|O(?i:nce|ne|ther|ur)|S(?i:he|ince|o|ome|uch)|)"
     R"(T(?i:hat|he|heir|hen|here|hese|hey|his)|W(?i:e|hat|hen|hile)|Y(?i:et|ou)|M(?i:[rs])\.))"},

    // Tags of HTML and XML. Only values with quotation marks may have line breaks.
    {"NAME", R"([A-Za-z][A-Za-z0-9_:.\-]*)"},
    {"VALUE", R"(("[^"]*"|'[^']*'))"},
    {"TAG", R"((<[!?][A-Za-z\-][^>\u000A\u000D]*>|<\/{NAME} *>|<{NAME}( +{NAME}( *= *{VALUE})?)* *\/? *>))"},

    // Addresses. URL_END may end an address: the punctuation after it does not belong to it.
    {"URL", R"([^ \u0009\u000A\u000C\u000D"<>|()\{\}])"},
    {"URL_END", R"([^ \u0009\u000A\u000C\u000D"<>|()\{\}.!?,\-])"},
    {"PATH", R"(\/[^ \u0009\u000A\u000C\u000D"<>|()]+{URL_END})"},
    {"HOST", R"([^ \u0009\u000A\u000C\u000D"<>|()\{\}.,!?])"},
    {"SITE", R"([^\u0009\u000A\u000C\u000D\u0020-\u0022\u0024\u0027-\u0029\u002C-\u0060\u007B-\u007D])"},
    {"MAIL", R"([^ \u0009\u000A\u000C\u000D"<>|()\{\}\u00A0])"},
    {"MAIL_HOST", R"([^ \u0009\u000A\u000C\u000D"<>|()\{\}\u00A0.])"},

    {"EYE", R"([\^x=~<>'])"},
};

}  // namespace

std::span<const Definition> definitions() {
  return named;
}

}  // namespace bolide::ptb
