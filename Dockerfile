# Two stages: the first installs locked packages, the second carries only them and the bot.
FROM python:3.11-slim AS packages
COPY requirements/bot.txt /tmp/bot.txt
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes --requirement /tmp/bot.txt

FROM python:3.11-slim
RUN useradd --create-home --uid 10001 coyote && install --directory --owner=coyote /data
COPY --from=packages /venv /venv
WORKDIR /app
COPY bot bot
COPY cogs cogs
USER coyote
# Without a token the container must not pretend to run: there is no sandbox in it.
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    REQUIRE_TOKEN=1 DATABASE_PATH=/data/coyote.sqlite3
VOLUME /data
STOPSIGNAL SIGTERM
# Red when the gateway is silent, the database takes nothing, or the bot hangs; it says which in one line.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=2 CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
