"""Deals between players: offers, answers, transfers on account, promises and later statements.

    agreement    the records of a deal: terms, payments, promises, statements
    answers      finished decisions and facts: a chapter of each game that has deals
    transfers    currencies, and gifts in them; a game of notes only leaves it out
    offers       offers, and the checks of offers, acceptances and statements
    negotiation  the standing question, and the expiry of offers
    pacts        where deals stand in the facts, for verdicts
    recount      payments counted again, for audits
    shown/       sentences, wording, forms, open offers and cards, in the game's own words

What a game decides:

    currencies     none (`Notes`), one (`Terms` of `Payment`), or several (`PaymentIn`)
    who, and when  `Offer.check_time`, `Exchange.check_ever`, `Exchange.check_now`
    who may know   `Offer.may_be_private`
    promises       the templates of its `Promise`, `Offer.check_promise`, their meaning for `Pacts`
    expiry         `Offer.now`, `ExpireOffers` at the end of whatever can be named
"""
