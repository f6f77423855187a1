"""A game that is over -> its result for the page: who wins, why it ended, and how every score came about."""

from interpreter.accounts import Account
from interpreter.display_names import Listener
from interpreter.results import Criterion, Outcome, explain_result
from interpreter.session import Session
from interpreter.sheets import ScoreMark, ScoreSheet
from interpreter.shown.picture import Scene
from interpreter.shown.result_lines import tell_standing, tell_winners
from rulespec.playground.protocol import scores


def result_data(session: Session, scene: Scene) -> scores.Result:
    """Places and scores, the best first, with all that they follow from."""
    match = session.match
    outcome = explain_result(match, Listener(scene.layout, scene.names))
    return {
        "winners": sorted(seat for each in outcome.standings if each.wins for seat in each.seats),
        "text": tell_winners(outcome),
        "ending": outcome.ending,
        "criteria": [_criterion(each) for each in outcome.criteria],
        "rows": _standings(outcome),
        "seed": str(match.seed),
    }


def _standings(outcome: Outcome) -> list[scores.ResultRow]:
    return [
        {
            "seat": each.seat,
            "name": each.name,
            "place": each.place,
            "scores": list(each.values),
            "note": None if each.note is None and each.ended is None else tell_standing(each),
        }
        for each in outcome.standings
    ]


def _criterion(criterion: Criterion) -> scores.Criterion:
    verdict = criterion.verdict
    told = verdict.notes if verdict is not None else filter(None, (criterion.sentence,))
    # What a sheet sums up need not be told again for each player.
    has_sheet = criterion.sheet is not None
    decided = () if verdict is None else verdict.parts
    return {
        "title": criterion.title,
        "about": criterion.sentence,
        "seats": list(criterion.seats),
        "sentences": [*told, *criterion.notes],
        "shared": [account_data(each) for each in (*decided, *criterion.shared)],
        "accounts": [] if has_sheet else [account_data(each) for each in criterion.accounts],
        "sheet": None if criterion.sheet is None else _sheet(criterion.sheet),
    }


def account_data(account: Account) -> scores.Account:
    """How a number came about: a table, sentences below it, and what it follows from."""
    return {
        "title": account.title,
        "value": account.value,
        "columns": list(account.columns),
        "unit": account.unit,
        "entries": [
            {
                "title": each.title,
                "cells": list(each.cells),
                "value": each.value,
                "note": each.note,
            }
            for each in account.entries
        ],
        "total": account.total,
        "notes": list(account.notes),
        "parts": [account_data(each) for each in account.parts],
    }


def _behind(mark: ScoreMark) -> scores.Account | None:
    """How what was added came about, if there is anything to say."""
    account = mark.account
    if account is None or not (account.entries or account.notes):
        return None
    return account_data(account)


def _sheet(sheet: ScoreSheet) -> scores.ScoreSheet:
    return {
        "title": sheet.title,
        "rounds": [
            {
                "title": each.title,
                "marks": [
                    {
                        "added": mark.added,
                        "total": mark.total,
                        "leads": mark.leads,
                        "why": _behind(mark),
                    }
                    for mark in each.marks
                ],
            }
            for each in sheet.rounds
        ],
    }
