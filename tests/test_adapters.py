"""Our games in other libraries: their own tests pass, and what they compute is what they compute of their own games."""

import pickle

import pytest

from interpreter.game_loading import load

KUHN = "rulespec(file=kuhn.rules,first=0,zero_sum=true)"


# ---- OpenSpiel -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def spiel():
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("interpreter.adapters.openspiel")
    return pyspiel


@pytest.mark.parametrize(("file", "games"), [("kuhn.rules", 5), ("leduc.rules", 2)])
def test_the_test_of_openspiel_passes(spiel, file, games) -> None:
    game = spiel.load_game(f"rulespec(file={file})")
    spiel.random_sim_test(game, num_sims=games, serialize=True, verbose=False)


@pytest.mark.soak
@pytest.mark.parametrize("file", ["sins.rules", "seven7s.rules", "cribbage.rules", "hearts.rules"])
def test_the_test_of_openspiel_passes_for_larger_games(spiel, file) -> None:
    game = spiel.load_game(f"rulespec(file={file},utility=winning)")
    spiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def trained(game, rounds: int):
    cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    solver = cfr.CFRSolver(game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    return exploitability.nash_conv(game, solver.average_policy())


def test_its_cfr_learns_our_kuhn_as_it_learns_its_own(spiel) -> None:
    ours, theirs = trained(spiel.load_game(KUHN), 20), trained(spiel.load_game("kuhn_poker"), 20)
    assert ours == pytest.approx(theirs, abs=1e-9)
    assert ours < 0.1


@pytest.mark.soak
def test_its_cfr_learns_our_leduc_as_it_learns_its_own(spiel) -> None:
    ours = trained(spiel.load_game("rulespec(file=leduc.rules,first=0,zero_sum=true)"), 2)
    assert ours == pytest.approx(trained(spiel.load_game("leduc_poker"), 2), abs=1e-9)


def test_a_game_of_openspiel_is_stored_and_loaded(spiel) -> None:
    game = spiel.load_game(KUHN)
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[-1])
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state)
    assert again.information_state_string(1) == state.information_state_string(1)


def test_worlds_of_openspiel_are_ours(spiel) -> None:
    state = spiel.load_game("rulespec(file=sins.rules)").new_initial_state()
    while state.is_chance_node() or len(state.history()) < 90:
        state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    other = state.resample_from_infostate(player, lambda: 0.25)
    assert other.information_state_string(player) == state.information_state_string(player)
    assert other.legal_actions() == state.legal_actions()


def test_what_is_not_zero_sum_is_told(spiel) -> None:
    state = spiel.load_game("rulespec(file=sins.rules,zero_sum=true)").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match="do not add up to nothing"):
        state.returns()


# ---- PettingZoo ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def zoo():
    pytest.importorskip("pettingzoo")
    return pytest.importorskip("interpreter.adapters.pettingzoo")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("file", ["kuhn.rules", "sins.rules"])
def test_the_tests_of_pettingzoo_pass(zoo, file) -> None:
    test = pytest.importorskip("pettingzoo.test")
    test.api_test(zoo.env(file), num_cycles=60)
    test.seed_test(lambda: zoo.env(file), num_cycles=30)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("file", ["kuhn.rules", "hearts.rules"])
def test_the_tests_of_parallel_environments_pass(zoo, file) -> None:
    test = pytest.importorskip("pettingzoo.test")
    test.parallel_api_test(zoo.parallel_env(file), num_cycles=60)
    # The test of seeds takes actions that are not legal, so here it is by hand.
    one, other = zoo.parallel_env(file), zoo.parallel_env(file)
    seen, same = one.reset(seed=5)[0], other.reset(seed=5)[0]
    for _ in range(20):
        assert [each["observation"].tolist() for each in seen.values()] == [
            each["observation"].tolist() for each in same.values()
        ]
        if not one.agents:
            break
        actions = {name: int(each["action_mask"].argmax()) for name, each in seen.items()}
        seen, same = one.step(actions)[0], other.step(actions)[0]


def test_all_who_choose_at_the_same_time_are_asked_at_once(zoo) -> None:
    env = zoo.parallel_env("hearts.rules")
    observed, _ = env.reset(seed=1)
    assert env.state_.is_simultaneous()
    for _ in range(3):  # three cards each
        assert all(each["action_mask"].any() for each in observed.values())
        actions = {name: int(each["action_mask"].argmax()) for name, each in observed.items()}
        observed, *_ = env.step(actions)
        if not env.state_.is_simultaneous():
            break
    assert len(env.state_.history) == 4
    assert sum(each["action_mask"].any() for each in observed.values()) == 1


# ---- Gymnasium -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gym():
    pytest.importorskip("gymnasium")
    return pytest.importorskip("interpreter.adapters.gymnasium")


def played(env, seed: int) -> tuple[float, list[float]]:
    observed, _ = env.reset(seed=seed)
    seen = [float(observed["observation"].sum())]
    while True:
        action = int(observed["action_mask"].argmax())
        observed, reward, over, _, _ = env.step(action)
        seen.append(float(observed["observation"].sum()))
        if over:
            return reward, seen


@pytest.mark.parametrize("bots", ["random", "greedy:1"])
def test_a_seat_is_played_against_bots(gym, bots) -> None:
    env = gym.RulesEnv("sins.rules", seat=1, bots=bots)
    first = played(env, 3)
    assert first[0] in {-1.0, 0.0, 1.0}
    assert played(gym.RulesEnv("sins.rules", seat=1, bots=bots), 3) == first


@pytest.mark.filterwarnings("ignore")
def test_the_test_of_gymnasium_passes(gym) -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    env = gym.RulesEnv("kuhn.rules", illegal="lose")
    checker.check_env(env, skip_render_check=True, skip_close_check=True)


def test_a_bot_or_a_seat_that_there_is_not_is_refused(gym) -> None:
    with pytest.raises(ValueError, match="is not a bot"):
        gym.RulesEnv("kuhn.rules", bots="genius")
    with pytest.raises(ValueError, match="no seat 2"):
        gym.RulesEnv("kuhn.rules", seat=2)


def test_the_games_of_the_adapters_are_those_of_the_rules() -> None:
    assert load("kuhn.rules").table(2, "winning").num_distinct_actions() == 4
