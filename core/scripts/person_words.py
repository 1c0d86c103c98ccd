"""Words that say who is meant without a name: pronouns, kin, roles, titles and given names, with their genders."""

from collections.abc import Set as AbstractSet
from typing import Literal

Gender = Literal["m", "f", ""]
"""Male, female, or not known from the word."""
_M: Gender = "m"
_F: Gender = "f"

PRONOUNS: dict[str, Gender] = {
    "he": "m", "him": "m", "his": "m", "himself": "m", "she": "f", "her": "f", "hers": "f", "herself": "f",
}  # fmt: skip
GROUP_PRONOUNS = frozenset({"they", "them", "their", "theirs", "themselves"})
GROUP_NOUNS = frozenset({"two", "couple", "pair", "duo", "lovers", "newlyweds"})
"""`The two`, `the couple`: the last two people."""

_COLLECTIVES = """
men women boys girls children kids friends squad group gang team crew trio quartet family parents police cops guards soldiers
robbers teenagers teens brothers sisters couples people others members students guests residents rangers mothers sons daughters
twins gangsters doctors scientists agents officers aliens vampires villagers company
"""
COLLECTIVES = frozenset(_COLLECTIVES.split())
"""Words for several people who are not named: `they` means them, and none of the cast."""
EXTRAS = frozenset(
    {"passenger", "guest", "patron", "customer", "dancer", "member", "fan", "shopper", "crowd", "player", "announcer"}
)
"""Roles, beside `ROLE_NOUNS`, of people whom a cast list does not name."""

_MALE = """
man boy guy gentleman father dad daddy grandfather grandpa husband son grandson brother uncle nephew stepfather stepson godfather
fiancé boyfriend groom widower king prince lord duke count baron priest monk waiter actor steward policeman businessman salesman
fireman cameraman congressman fisherman doorman henchman hitman cowboy bachelor brother-in-law father-in-law son-in-law
ex-husband ex-boyfriend mr sir fr emperor sorcerer wizard butler headmaster
"""
_FEMALE = """
woman girl lady mother mom mommy mum grandmother grandma wife daughter granddaughter sister aunt niece stepmother stepdaughter
godmother fiancée girlfriend bride widow queen princess duchess countess baroness nun waitress actress stewardess policewoman
businesswoman saleswoman saleslady hostess mistress housewife witch maid nanny prostitute cheerleader ballerina heiress
sister-in-law mother-in-law daughter-in-law ex-wife ex-girlfriend mrs ms miss mme mlle showgirl empress
"""
NOUN_GENDERS: dict[str, Gender] = {**dict.fromkeys(_MALE.split(), _M), **dict.fromkeys(_FEMALE.split(), _F)}

_ROLES = """
accomplice acquaintance agent ally anchor archaeologist artist assassin assistant attorney author bandit banker barman bartender
biologist bodyguard boss buddy burglar captain captor chauffeur chef chief child clerk client coach colleague colonel companion
conman cop coroner co-worker counselor cousin criminal dancer dealer dentist deputy detective director doctor driver editor
employee employer engineer escort ex ex-fiancée executive fugitive gangster general guard guide gunman hacker historian hostage
hunter inspector intern inventor investigator janitor journalist judge kid kidnapper killer lawyer leader librarian lieutenant
lover manager mayor mechanic mentor mercenary mobster musician narrator neighbor neighbour nurse officer orphan owner painter
parent partner passenger patient photographer physician pianist pilot pirate poet president principal prisoner producer
professor prosecutor psychiatrist psychic psychologist receptionist reporter rival robber roommate sailor salesperson scientist
secretary senator sergeant servant sheriff shrink singer smuggler sniper soldier spy stalker stranger stripper student suitor
superior supervisor surgeon suspect teacher teammate teenager terrorist therapist thief thug trainer trucker vampire veteran
victim villain warden warrior witness worker writer friend
"""
ROLE_NOUNS = frozenset(_ROLES.split()) | NOUN_GENDERS.keys() - {"mr", "mrs", "ms", "sir", "fr", "mme", "mlle"}

_MALE_NAMES = """
aaron adam al alan albert alec alexander alfred allen andrew andy anthony antonio arnold arthur barry ben benjamin bernard bill
billy bob bobby brad bradley brendan brian bruce bryan burt carl charles chris christian christopher chuck clark clint colin craig
dan daniel danny daryl dave david dean dennis derek dick don donald doug douglas dustin dwight earl ed eddie edward edwin elliott
eric ernest ethan eugene felix francis frank franklin fred frederick gabriel gary gene geoffrey george gerald gilbert glenn gordon
graham greg gregory guy harold harrison harry harvey hector henry herbert howard hugh hugo ian ivan jack jackie jacob jake james
jason jay jeff jeffrey jeremy jerome jerry jesse jim jimmy joe joel john johnny jon jonathan jordan jose joseph josh joshua juan
julian justin karl keanu keith ken kenneth kevin kiefer kurt kyle lance larry lawrence leo leon leonard leonardo lewis liam louis
lucas luis luke marcus mario mark martin marvin matt matthew max mel michael miguel mike mitch morgan nathan neil nicholas nick
nicolas norman oliver oscar patrick paul pedro pete peter phil philip phillip ralph randy ray raymond rex richard rick rob robert
roberto robin rocky rodney roger roland ron ronald ross roy russell ryan sam samuel scott sean seth simon spencer stan stanley
stephen steve steven stuart ted terrence terry theodore thomas tim timothy todd tom tommy tony travis victor vince vincent walter
warren wayne wesley will william willie woody zach ethan derek julius travis
"""
_FEMALE_NAMES = """
abigail alice alicia alison allison amanda amber amelia amy andrea angela angelina anita ann anna anne annette annie april audrey
barbara beatrice betty beverly bonnie brenda brittany camille candice carla carmen carol caroline carolyn carrie cate catherine
charlotte cheryl christina christine cindy claire clara claudia connie courtney crystal cynthia daisy dana deborah debra demi
denise diana diane dolores donna dorothy edith eileen elaine eleanor elena elisabeth elizabeth ellen emily emma erica erin esther
ethel eva eve evelyn faye florence frances gabrielle geena gina glenn gloria goldie grace gwen gwyneth halle hannah heather heidi
helen helena holly ida irene isabel isabella jacqueline jane janet janice jasmine jean jeanne jennifer jenny jessica jill joan
joanna jodie joyce juanita judith judy julia julianne julie juliet juliette kate katherine kathleen kathryn kathy katie kay keira
kelly kim kimberly kirsten kristen laura lauren leslie lillian linda lisa liz lois lori louise lucy lynn madeleine maggie margaret
maria marie marilyn marion marissa martha mary maureen meg megan melanie melissa meredith meryl michelle mildred monica nancy
naomi natalie nicole nina nora olivia pamela patricia paula penelope phyllis rachel rebecca regina renée rita roberta rosa rose
rosemary ruth sally samantha sandra sandy sara sarah scarlett sharon sheila shirley sigourney sonia sophia sophie stella stephanie
sue susan sylvia tara teresa theresa tiffany tina uma ursula valerie vanessa vera veronica vicki victoria virginia vivian wanda
wendy whoopi winona yvonne zoe agnes bridget chloe daisy edith gertrude ingrid ivy jocelyn lillian lola lucille lydia
mabel madison mandy mimi molly nell paige pamela pearl penny polly rhonda roxanne ruby sabrina selma sonya stacey tracy
trudy vivienne
"""
_UNSURE = frozenset(_MALE_NAMES.split()) & frozenset(_FEMALE_NAMES.split())
NAME_GENDERS: dict[str, Gender] = {
    **dict.fromkeys(frozenset(_MALE_NAMES.split()) - _UNSURE, _M),
    **dict.fromkeys(frozenset(_FEMALE_NAMES.split()) - _UNSURE, _F),
}
"""Given names that are nearly always of one gender, among the commonest of English-speaking casts."""


def find_role_word(name: str, words: AbstractSet[str] = ROLE_NOUNS) -> str:
    """Return the last word of a name that stands for somebody's role (`Second Waitress`), in lower case, if it is one of `words`.

    A surname is no role.
    """
    last = next(reversed(name.casefold().split()), "")
    return last if last in words and not has_surname(name) else ""


def has_surname(name: str) -> bool:
    """Tell whether a name begins with a given name and ends in a surname: `Sarah King`, but not `Sarah's Father`."""
    parts = name.casefold().split()
    return len(parts) > 1 and parts[0] in NAME_GENDERS
