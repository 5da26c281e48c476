"""Settings: where each comes from, and the one line for a value that cannot be used."""

from pathlib import Path

import pytest

from services.run.settings import ROOT, BadSetting, Settings, default_data, read_settings


def test_nothing_said_is_the_checkouts_own_folder_and_a_free_port() -> None:
    assert read_settings({}) == Settings(data=ROOT / ".hegemon" / "data")


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "~/.local/share/hegemon"),
        ("linux", {"XDG_DATA_HOME": ""}, "~/.local/share/hegemon"),
        ("linux", {"XDG_DATA_HOME": "a/relative/one"}, "~/.local/share/hegemon"),
        ("linux", {"XDG_DATA_HOME": "/srv/shared"}, "/srv/shared/hegemon"),
        ("darwin", {"XDG_DATA_HOME": "/srv/shared"}, "~/Library/Application Support/hegemon"),
    ],
)
def test_an_installed_copy_has_the_users_folder_wherever_it_is_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    platform: str,
    environment: dict[str, str],
    folder: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.platform", platform)
    assert default_data(environment, root=tmp_path) == Path(folder).expanduser()


def test_a_user_without_a_home_has_to_name_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def homeless(_path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    with monkeypatch.context() as without:
        without.setattr(Path, "expanduser", homeless)
        with pytest.raises(BadSetting, match="no home folder: give --data or HEGEMON_DATA"):
            default_data({}, root=tmp_path)
    default = "services.run.settings.default_data"
    monkeypatch.setattr(default, lambda _: pytest.fail("nobody needs it"))
    assert read_settings({"HEGEMON_DATA": "/srv/hegemon"}).data == Path("/srv/hegemon")
    assert read_settings({}, data="/srv/hegemon").data == Path("/srv/hegemon")


def test_empty_variables_count_as_not_set() -> None:
    assert read_settings({"HEGEMON_PORT": "", "HEGEMON_DATA": ""}) == read_settings({})


def test_variables_are_read_and_options_win(tmp_path: Path) -> None:
    environment = {
        "HEGEMON_DATA": str(tmp_path / "by variable"),
        "HEGEMON_PORT": "8123",
        "HEGEMON_REDIS_URL": "redis://127.0.0.1:6380/0",
        "HEGEMON_LEDGER_URL": "unix:///tmp/x/ledger.sock",
    }
    read = read_settings(environment)
    assert (read.data, read.port) == (tmp_path / "by variable", 8123)
    assert read.redis_url == "redis://127.0.0.1:6380/0"
    assert read.ledger_url == "unix:///tmp/x/ledger.sock"
    assert read.jobs_url is None
    read = read_settings(environment, data=str(tmp_path), port="9")
    assert (read.data, read.port) == (tmp_path, 9)


def test_a_folder_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_settings({}, data="here").data == tmp_path / "here"


@pytest.mark.parametrize(
    "port", ["0", "65536", "-1", "http", "8 000", "\u0661", "008080", "0080809999"]
)
def test_a_port_that_is_none_is_named(port: str) -> None:
    for source in ("HEGEMON_PORT", "--port"):
        option = port if source == "--port" else None
        environment = {} if option else {"HEGEMON_PORT": port}
        with pytest.raises(BadSetting) as caught:
            read_settings(environment, port=option)
        assert str(caught.value) == (
            f"{source} must be a port number from 1 to 65535, not {port!r}."
        )


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match="HEGEMON_DATA must name a folder, but "):
        read_settings({"HEGEMON_DATA": str(tmp_path / "file")})


def test_an_address_that_is_none_is_named() -> None:
    with pytest.raises(BadSetting, match=r"HEGEMON_REDIS_URL must begin with redis://, ") as caught:
        read_settings({"HEGEMON_REDIS_URL": "redis//:secret@here"})
    assert "secret" not in str(caught.value)


def test_the_ledger_may_be_a_cluster_and_the_jobs_may_not() -> None:
    url = "redis+cluster://one:7000,two:7000"
    assert read_settings({"HEGEMON_REDIS_URL": url}).redis_url == url
    with pytest.raises(BadSetting, match="HEGEMON_JOBS_URL must be one server"):
        read_settings({"HEGEMON_JOBS_URL": url})


def test_unsafe_is_said_before_the_command_or_by_its_variable() -> None:
    assert not read_settings({}).unsafe
    assert not read_settings({"HEGEMON_UNSAFE": "0"}).unsafe
    assert read_settings({"HEGEMON_UNSAFE": "1"}).unsafe
    assert read_settings({"HEGEMON_UNSAFE": "0"}, unsafe=True).unsafe
    with pytest.raises(BadSetting, match="HEGEMON_UNSAFE must be 1 or 0, not 'yes'"):
        read_settings({"HEGEMON_UNSAFE": "yes"})


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("https://club.example", "https://club.example"),
        ("HTTPS://Club.Example/", "https://club.example"),
        ("https://club.example:443", "https://club.example"),
        ("http://club.example:8000", "http://club.example:8000"),
        ("http://[::1]:80/", "http://[::1]"),
    ],
)
def test_the_public_address_is_an_origin(said: str, read: str):
    assert read_settings({"HEGEMON_PUBLIC_URL": said}).public_url == read


@pytest.mark.parametrize(
    "said",
    [
        "club.example",
        "ftp://club.example",
        "https://",
        "https://club.example/path",
        "https://club.example/?a",
        "https://club.example#a",
        "https://me@club.example",
        "https://me:secret@club.example",
        "https://club.example:0x50",
        "https://club.example:99999",
        "https://clüb.example",
        "https://club.example\n",
        "https://[::1",
        "https://a b",
    ],
)
def test_what_is_no_origin_is_refused(said: str):
    with pytest.raises(BadSetting, match="HEGEMON_PUBLIC_URL must be http"):
        read_settings({"HEGEMON_PUBLIC_URL": said})


def test_so_many_proxies_are_believed():
    assert read_settings({}).proxies == 0
    assert read_settings({"HEGEMON_PROXIES": "2"}).proxies == 2
    assert read_settings({}).workers == 1
    assert read_settings({"HEGEMON_WORKERS": "3"}).workers == 3
    for said in ("-1", "11", "two", "1.0", "٢"):
        with pytest.raises(BadSetting, match="HEGEMON_PROXIES must be a number from 0 to 10"):
            read_settings({"HEGEMON_PROXIES": said})
