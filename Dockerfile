# Two stages: the first installs the locked packages, the second contains only those and the bot.
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
# Without a token the container must fail to start: it contains no sandbox to play on.
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    REQUIRE_TOKEN=1 DATABASE_PATH=/data/coyote.sqlite3
VOLUME /data
STOPSIGNAL SIGTERM
# Unhealthy when the gateway is silent, the database accepts no writes, or the bot hangs; prints which in one line.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=2 CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
