# Two stages: the first installs the locked packages and compiles everything, the second contains only what runs.
# The newest Python for which all locked packages have wheels, on amd64 and on arm64.
FROM python:3.14-slim AS built
COPY requirements/bot.txt /tmp/bot.txt
RUN python -m venv --without-pip /venv \
    && pip --python /venv/bin/python install --no-cache-dir --only-binary=:all: --require-hashes --requirement /tmp/bot.txt
COPY bot /app/bot
COPY cogs /app/cogs
COPY LICENSE /app/LICENSE
# The container cannot write to these folders, so everything is compiled now and never checked again.
RUN /venv/bin/python -m compileall -q --invalidation-mode unchecked-hash /venv /app

FROM python:3.14-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Coyote Table" \
      org.opencontainers.image.description="A self-hosted Discord bot that hosts Coyote and Plenty Coups" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# The bot needs no pip. It runs as a user without a name, who owns nothing but /data.
RUN rm -rf /usr/local/bin/pip* /usr/local/lib/python3.14/site-packages/pip* /usr/local/lib/python3.14/ensurepip \
    && install --directory --owner=10001 --group=10001 --mode=0700 /data
COPY --from=built /venv /venv
COPY --from=built /app /app
WORKDIR /app
USER 10001:10001
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DATABASE_PATH=/data/coyote.sqlite3
VOLUME /data
STOPSIGNAL SIGTERM
# Unhealthy when the gateway is silent, the database accepts no writes, or the bot hangs; prints which in one line.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=2 CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
CMD ["run"]
