import re
import string
from time import process_time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.credentials import hide_credentials, refuse_credentials
from core.errors import ConfigError

SECRET = "Pa55-w0rd"
WITH = {
    f"mediawiki+https://user:{SECRET}@wiki.example/api.php?category=A": "without a login",
    f"ftp://u:{SECRET}@host/store": "FSSPEC_FTP_USERNAME and FSSPEC_FTP_PASSWORD",
    f"s3://key:{SECRET}@bucket/store": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    f"s3://key:{SECRET}/with/slashes@bucket": "AWS_SECRET_ACCESS_KEY",
    f"S3://key:{SECRET}@bucket": "AWS_SECRET_ACCESS_KEY",
    f"zip://a.zip::s3://key:{SECRET}@bucket/b.zip": "AWS_SECRET_ACCESS_KEY",
    f"https://{SECRET}@host/listing": "FSSPEC_HTTP",
    f"https://host/listing?token={SECRET}": "FSSPEC_HTTP",
    f"https://host/listing#access_token={SECRET}": "FSSPEC_HTTP",
    f"https://host/listing?a=b&refresh_token={SECRET}": "FSSPEC_HTTP",
    f"https://host/listing?x-api-key={SECRET}": "FSSPEC_HTTP",
    f"https://bucket.example/a.zip?X-Amz-Signature={SECRET}&b=c": "FSSPEC_HTTP",
    f"sftp://me@corp.example:{SECRET}@host/x": "FSSPEC_SFTP_PASSWORD",
    f"sftp://me:a@{SECRET}@host/x": "FSSPEC_SFTP_PASSWORD",
    f"ftp://me:{SECRET}%40@host": "FSSPEC_FTP_PASSWORD",
    f"see http://a:{SECRET}@b for more": "FSSPEC_HTTP",
    f"https:/u:{SECRET}@host/listing": "FSSPEC_HTTP",
    f"https:/{SECRET}@host/listing": "FSSPEC_HTTP",
    f"s3:/key:{SECRET}@bucket": "AWS_SECRET_ACCESS_KEY",
    f"https:/host/listing?token={SECRET}": "FSSPEC_HTTP",
}
WITHOUT = [
    "fabula-store", "/data/a:b@c", "C:/me@work/a:b", "file:/data/a@b", "s3://bucket/prefix@v2/x",
    "s3://bucket/x?versionId=3", "https://host/list?pageToken=3#token", "http://127.0.0.1:8080/a@b/c",
    "http://[::1]:8080/a@b", "http://[2001:db8::1]/a@b", "zip://inner@1.json::s3://bucket/x@1.zip", "sftp://me@host:22/a@b",
    "git@github.com:owner/name.git", "tcp://scheduler:8786", "github://owner:repository@main/path",
    "mediawiki+https://wiki.example/api.php?category=A|B&unit=C{season}E{episode:03}", "http://host/?tokens=5",
    "a token=5 in a text",
]  # fmt: skip


@pytest.mark.parametrize(("url", "remedy"), WITH.items(), ids=list(WITH))
def test_a_credential_is_refused_with_what_to_use_instead_and_never_shown(url: str, remedy: str) -> None:
    with pytest.raises(ConfigError) as refused:
        refuse_credentials({"settings": [url]}, "--set")
    assert str(refused.value).startswith("--set, settings: ")
    assert remedy in str(refused.value)
    assert SECRET not in str(refused.value)
    with pytest.raises(ConfigError) as refused:
        refuse_credentials({url: 1}, "--set")  # the name of a setting may be the one that carries it
    assert SECRET not in str(refused.value)
    assert SECRET not in hide_credentials(f"before {url} after")


@pytest.mark.parametrize("url", WITHOUT)
def test_a_url_without_one_is_left_alone(url: str) -> None:
    refuse_credentials({"a": [url, 3, None, (url,)]}, "--source")
    assert hide_credentials(url) == url


@given(
    scheme=st.sampled_from(["s3", "ftp", "sftp", "https", "mediawiki+http", "gs", "smb", "memory"]),
    user=st.text(string.ascii_letters + string.digits + "@.-_%+", max_size=8),
    password=st.text(string.ascii_letters + string.digits + string.punctuation, min_size=6, max_size=12),
)
def test_no_password_of_printable_characters_passes_or_is_shown(scheme: str, user: str, password: str) -> None:
    assume(not re.match(r":|\d{1,5}[/?#]", password))  # neither can be told from what follows a host
    messages = []
    for secret in (password, SECRET):
        with pytest.raises(ConfigError) as refused:
            refuse_credentials(f"{scheme}://{user}:{secret}@host.example/path", "--store")
        messages.append(str(refused.value))
    assert messages[0] == messages[1], "the message depends on the password"
    assert hide_credentials(f"{scheme}://{user}:{password}@host.example/path") == f"{scheme}://…@host.example/path"


def test_a_long_word_takes_time_by_its_length() -> None:
    def measure(length: int) -> float:
        began = process_time()
        assert hide_credentials("x" * length + " zip://a.zip") == "x" * length + " zip://a.zip"
        refuse_credentials("x" * length + " zip://a.zip", "a setting")
        return process_time() - began

    assert measure(64_000) < 200 * min(measure(2_000) for _ in range(3))  # 32 times, and 1,024 where it grows with the square


@pytest.mark.parametrize("before", ["x" * 200, "1" * 200, "x." * 100])
def test_a_credential_behind_a_long_word_is_found(before: str) -> None:
    text = f"{before}ftp://u:{SECRET}@host"
    assert SECRET not in hide_credentials(text)
    with pytest.raises(ConfigError):
        refuse_credentials(text, "a setting")
